import t from 'tap'
import { openItem, type WorkItem } from '../../src/extract/work-item.ts'
import { readSummary } from '../../src/summary/summary.ts'
import type { Message } from '../../src/session/message.ts'
import { noEvidence } from '../../src/summary/evidence.ts'
import { restoreEssentials } from '../../src/summary/restore-essentials.ts'
import { noUserMessages } from '../../src/summary/user-messages.ts'
import { assistant, call } from '../prompt/message-builders.ts'
import { excerptOf } from '../../src/extract/cut-request.ts'

const REQUEST = `Make the importer faster.\n${'Read each row of the file once. '.repeat(30).trim()}`
const user: Message = { role: 'user', content: [{ type: 'text', text: REQUEST }] }
const QUOTED = REQUEST.split('\n')
  .map((line) => `> ${line}`)
  .join('\n')

const parsed = (text: string | undefined) => (text === undefined ? undefined : readSummary(text))

const INPUTS = {
  runs: new Map(),
  evidence: noEvidence(),
  userMessages: noUserMessages(),
  hasSections: true,
  limitTokens: 13_107,
}

interface Written {
  history: string | undefined
  turnPrefix: string | undefined
}

const restore = (written: Written, kept?: Message[]): string => essentialsOf(written, kept).summary

const essentialsOf = (written: Written, kept: Message[] = []) =>
  restoreEssentials(
    { history: parsed(written.history), turnPrefix: parsed(written.turnPrefix) },
    {
      history: written.history === undefined ? [] : [user],
      turnPrefix: written.turnPrefix === undefined ? [] : [user],
      kept,
      ...INPUTS,
    },
  )

t.test('the whole request takes the place of the excerpt that an extract has of it', async (t) => {
  const history = `## Goal\nNewest request:\n${excerptOf(REQUEST)}\n\n## Progress\n(none)`
  t.equal(restore({ history, turnPrefix: undefined }), `## Goal\nNewest request:\n${QUOTED}\n\n## Progress\n(none)`)
  const turnPrefix = `## Original Request\n${excerptOf(REQUEST)}\n\n## Early Progress\n(none)`
  t.match(
    restore({ history: undefined, turnPrefix }),
    `## Original Request\nThe newest request, word for word:\n\n${QUOTED}\n\n## Early Progress\n(none)`,
  )
})

t.test('an open question is added, unless it stands in a message that stays', async (t) => {
  const asks = assistant({ type: 'text', text: 'It is done.\n\nShall I push it now?' })
  const calls = assistant(call('bash', { command: 'ls' }))
  const history = `## Goal\n${QUOTED}`
  t.equal(restore({ history, turnPrefix: undefined }, [asks]), history)
  const summary = restoreEssentials(
    { history: readSummary(history), turnPrefix: undefined },
    { ...INPUTS, history: [user, asks], turnPrefix: [], kept: [calls] },
  ).summary
  t.equal(summary, `${history}\n\n## Critical Context\n- Shall I push it now?`)
})

t.test('without an excerpt of it, the request is added below the goal', async (t) => {
  const history = '## Goal\nA faster importer.\n\n## Progress\n(none)'
  t.equal(
    restore({ history, turnPrefix: undefined }),
    `## Goal\nA faster importer.\nThe newest request, word for word:\n\n${QUOTED}\n\n## Progress\n(none)`,
  )
})

t.test('it is said whether the texts have the newest request, or code has added it to one of them', async (t) => {
  const [without, has] = ['## Goal\nA faster importer.', `## Original Request\n${QUOTED}`]
  const said = (history: string | undefined, turnPrefix?: string) => essentialsOf({ history, turnPrefix }).latestRequest
  t.strictSame(
    [said(without), said(has), said(undefined, without), said(without, without), said(without, has)],
    ['restored', 'kept', 'restored', 'restored', 'kept'],
  )
})

t.test(
  'of an extract, the goal has the newest answer with its question, and the messages of the user have it no second time',
  async (t) => {
    const say = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] })
    const history: Message[] = [
      say('Build the importer.'),
      say('continue'),
      assistant(call('ask', { question: 'Skip the bad rows or stop?' })),
      {
        ...{ role: 'toolResult', toolCallId: 'c', toolName: 'ask', isError: false, isPruned: false },
        content: [{ type: 'text', text: 'User answered: Stop.' }],
        userAnswers: [{ question: 'Skip the bad rows or stop?', answer: 'Stop at the first one.' }],
      },
    ]
    const goal = '## Goal\nNewest request:\nStop at the first one.\n(The agent had asked: "Skip the bad rows or stop?")'
    const summaryBy = (model: string): string =>
      restoreEssentials(
        { history: { ...readSummary(goal), model }, turnPrefix: undefined },
        { ...INPUTS, history, turnPrefix: [], kept: [] },
      ).summary
    t.equal(
      summaryBy('embedded'),
      `${goal}\n\n## User Messages\n(Word for word, newest first.)\n\n> Build the importer.`,
    )
    t.match(summaryBy('a model'), '> (Answer to "Skip the bad rows or stop?")\n> Stop at the first one.')
  },
)

t.test(
  'the history of a split turn does not wait for the user, who has written the request of that turn',
  async (t) => {
    const texts = {
      history: '## Next Steps\n1. Wait for the user.',
      turnPrefix: '## Early Progress\nThe loop is gone.',
    }
    t.match(restore(texts), '## Next Steps\n(none)')
    // In one text, nobody has written after the end.
    t.match(restore({ ...texts, turnPrefix: undefined }), '## Next Steps\n1. Wait for the user.')
    t.match(restore({ ...texts, turnPrefix: undefined }, [user]), '## Next Steps\n(none)')
  },
)

t.test('what is proven to be done leaves the steps of the history and those of the turn', async (t) => {
  const done: WorkItem = { ...openItem('task', 'Write docs', 1), state: 'done', provenAt: 2 }
  const { summary } = restoreEssentials(
    {
      history: readSummary(`## Goal\n${QUOTED}\n\n## Next Steps\n1. Write docs`),
      turnPrefix: readSummary('## Early Progress\n- Read it\n\n## Context for Suffix\n- Write docs'),
    },
    {
      ...{ ...INPUTS, history: [user], turnPrefix: [assistant()], kept: [] },
      work: { items: [done], failing: [], commits: [], isInTurn: true },
    },
  )
  t.match(summary, '## Next Steps\n(none)')
  t.match(summary, '## Early Progress\n- Read it\n- [x] Write docs\n\n## Context for Suffix\n(none)')
})
