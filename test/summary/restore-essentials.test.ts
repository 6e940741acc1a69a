import t from 'tap'
import { readSummary } from '../../src/summary/summary.ts'
import type { Message } from '../../src/session/message.ts'
import { noEvidence } from '../../src/summary/evidence.ts'
import { restoreEssentials } from '../../src/summary/restore-essentials.ts'
import { noUserMessages } from '../../src/summary/user-messages.ts'
import { excerptOf } from '../../src/text/shorten.ts'

const REQUEST = `Make the importer faster.\n${'Read each row of the file once. '.repeat(30).trim()}`
const user: Message = { role: 'user', content: [{ type: 'text', text: REQUEST }] }
const QUOTED = REQUEST.split('\n')
  .map((line) => `> ${line}`)
  .join('\n')

const parsed = (text: string | undefined) => (text === undefined ? undefined : readSummary(text))

interface Written {
  history: string | undefined
  turnPrefix: string | undefined
}

const restore = (written: Written): string => essentialsOf(written).summary

const essentialsOf = (written: Written) =>
  restoreEssentials(
    { history: parsed(written.history), turnPrefix: parsed(written.turnPrefix) },
    {
      history: written.history === undefined ? [] : [user],
      turnPrefix: written.turnPrefix === undefined ? [] : [user],
      kept: [],
      runs: new Map(),
      evidence: noEvidence(),
      userMessages: noUserMessages(),
      hasSections: true,
      limitTokens: 13_107,
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
