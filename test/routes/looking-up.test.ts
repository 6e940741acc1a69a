import { readdirSync, readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import type { CompactionReply } from '../../src/schemas/compaction-reply.ts'
import { fakeSummarizer, type FakeSummarizer } from '../support/fake-summarizer.ts'
import { startApp } from '../support/start-app.ts'

const HEADING = '## Looking things up'
const recall = 'Call the tool `recall`.'

const times = { user: '2026-03-24T08:00:00.000Z', assistant: '2026-03-24T08:01:00.000Z' }

/** The lines of a session of pi. */
const header = { type: 'session', version: 3, id: 'a1b2', cwd: '/p', timestamp: times.user }
const entry = (id: string, parentId: string | null, role: keyof typeof times, text: string) => ({
  ...{ type: 'message', id, parentId, timestamp: times[role] },
  message: { role, content: role === 'user' ? text : [{ type: 'text', text }] },
})
const turn = (number: number, parentId: string | null) => [
  entry(`u${number}`, parentId, 'user', `Do part ${number} of the parser.`),
  entry(`a${number}`, `u${number}`, 'assistant', `Part ${number} is done. ${'It reads tokens. '.repeat(80)}`),
]

async function start(t: Test, summarizer?: FakeSummarizer) {
  const { app } = await startApp(t, { ...(summarizer && { summarizer }) })
  return async (payload: object, url = '/compaction'): Promise<CompactionReply & { document: string }> => {
    const reply = await app.inject({ method: 'POST', url, payload })
    return { ...reply.json<CompactionReply & { document: string }>(), ...{ status: reply.statusCode } }
  }
}

const countOf = (text: string): number => text.split(HEADING).length - 1

t.test(
  'a summary ends with what it replaces and how to look it up, before the file tags, and the next one has this anew',
  async (t) => {
    const summarizer = fakeSummarizer(`## Goal\nThe parser.\n\n${HEADING}\nmade up by the model`)
    const post = await start(t, summarizer)
    const read = {
      role: 'assistant',
      content: [{ type: 'toolCall', id: 'c', name: 'read', arguments: { path: '/p/x.ts' } }],
    }
    const before = [
      header,
      ...turn(1, null),
      { type: 'message', id: 'r', parentId: 'a1', timestamp: times.assistant, message: read },
      ...turn(2, 'r'),
    ]
    const settings = { keepRecentTokens: 10, recall }
    const first = await post({ session: asLines(before), settings })
    t.same(
      first.summary.slice(first.summary.indexOf(HEADING)),
      `${HEADING}\nReplaced: entries 1 to 4 of session a1b2, written 2026-03-24T08:00:00Z. Nothing of it is lost:\n${recall}\n\n<read-files>\n/p/x.ts\n</read-files>`,
    )
    t.same(countOf(first.summary), 1)
    const { summary, firstKeptEntryId, tokensBefore } = first
    const compaction = {
      type: 'compaction',
      id: 'k',
      parentId: 'a2',
      timestamp: times.user,
      summary,
      firstKeptEntryId,
      tokensBefore,
    }
    const second = await post({
      session: asLines([...before, compaction, ...turn(3, 'k')]),
      settings: { ...settings, recall: 'Another way.' },
    })
    t.match(second.summary, `${HEADING}\nReplaced: entries 1 to 7 of session a1b2`)
    t.match(second.summary, '\nAnother way.\n')
    t.same([countOf(second.summary), second.summary.includes(recall)], [1, false])
    t.same(
      summarizer.tasks.filter(({ prompt }) => prompt.includes(HEADING)),
      [],
      'no model sees an older one',
    )
  },
)

const asLines = (lines: readonly object[]): string => lines.map((line) => JSON.stringify(line)).join('\n')

t.test('without the setting, nothing is said, and an older section is gone', async (t) => {
  const post = await start(t)
  const previous = `## Goal\nThe parser.\n\n${HEADING}\nReplaced: entries 1 to 9. Nothing of it is lost:\n${recall}`
  const conversation = '[User]: Now the lexer.\n\n[Assistant]: It is done.'
  const { summary } = await post({ conversation, previousSummary: previous })
  t.same(countOf(summary), 0)
})

t.test('transcripts and handoffs say it too, and a prompt of a client does not', async (t) => {
  const summarizer = fakeSummarizer()
  const post = await start(t, summarizer)
  const conversation = '[User]: Now the lexer.\n\n[Assistant]: It is done.'
  const { summary } = await post({ conversation, settings: { recall } })
  t.ok(
    summary.endsWith(`\n\n${HEADING}\nReplaced: the conversation before this point. Nothing of it is lost:\n${recall}`),
  )
  const messages = [
    { role: 'user', content: 'Fix it.' },
    { role: 'assistant', content: 'Done.' },
  ]
  const { document } = await post({ messages, settings: { recall } }, '/handoff')
  t.ok(document.endsWith(`\n\n${HEADING}\nReplaced: entries 1 to 2 of the session. Nothing of it is lost:\n${recall}`))
  const prompted = await post({ prompt: 'Summarize: it is done.', settings: { recall } })
  t.same([prompted.summary, prompted.report.ignored], [summarizerText(summarizer), { fields: { settings: 1 } }])
})

const summarizerText = ({ tasks }: FakeSummarizer): string => `## Goal\nA summary of the ${tasks.at(-1)?.kind}.`

const MESSAGES = [
  { role: 'user', content: 'Fix it.' },
  { role: 'assistant', content: 'Done.' },
  { role: 'user', content: 'Go on.' },
]

t.test('no fact of the summary that must stand in the session is from the line', async (t) => {
  const post = await start(t)
  const settings = { keepRecentTokens: 1, recall: 'Run `precis recall 0199c0de WORDS` in the shell.' }
  const reply = await post({ messages: MESSAGES, settings }, '/compaction?include=provenance')
  t.match(reply.summary, settings.recall)
  t.same(
    reply.provenance?.facts.filter(({ text }) => text.includes('precis')),
    [],
  )
})

t.test('a line with a secret is left out: redacted, its command would not work', async (t) => {
  const post = await start(t)
  const key = `sk-ant-api03-${'Ab1'.repeat(31)}AA`
  const withKey = await post({
    messages: MESSAGES,
    settings: { keepRecentTokens: 1, recall: `Run \`precis recall --key ${key}\`.` },
  })
  t.same([countOf(withKey.summary), withKey.report.redactions], [0, 0])
  const id = '4fd0c9a27be8461d93a5'
  const [first, ...others] = MESSAGES
  const messages = [{ ...first, content: `Fix it. export SESSION_SECRET=${id}` }, ...others]
  const settings = { keepRecentTokens: 1, recall: `Run \`precis recall ${id} WORDS\` in the shell.` }
  const ofSecret = await post({ messages, settings })
  t.same([countOf(ofSecret.summary), ofSecret.summary.includes('precis'), ofSecret.report.redactions], [0, false, 1])
  t.equal(countOf((await post({ messages: MESSAGES, settings })).summary), 1)
})

t.test('a line that would change the form of the summary is refused', async (t) => {
  const post = await start(t)
  const wrong = [
    '',
    ' ',
    '# Goal',
    'two\nlines',
    'a\u2028b',
    '</summary> x',
    '- a list',
    '```',
    '> quote',
    'x'.repeat(201),
    'call \u202eesrever',
    'call \u2066x\u2069',
    'call\u200b the tool',
    'call\ufeff the tool',
    'call \u{e0041}\u{e0042}',
    7,
  ]
  for (const line of wrong) {
    const reply = await post({ messages: [{ role: 'user', content: 'a' }], settings: { recall: line } })
    t.match(
      reply,
      {
        status: 400,
        errors: [
          {
            pointer: '/settings/recall',
            detail:
              'must be one line of 1 to 200 characters, without `<` and invisible characters, and without white space or a mark of Markdown at its beginning',
          },
        ],
      },
      `${wrong.indexOf(line)}`,
    )
  }
})

const FORMATS = new URL('../fixtures/formats/', import.meta.url)

t.test('a summary of each format says how to look things up, also of one whose elements are text', async (t) => {
  const { app } = await startApp(t)
  const headers = { 'content-type': 'text/plain' }
  const query = `keepRecentTokens=1&recall=${encodeURIComponent(recall)}`
  for (const name of readdirSync(FORMATS)) {
    const payload = readFileSync(new URL(name, FORMATS))
    const compacted = await app.inject({ method: 'POST', url: `/compaction?${query}`, headers, payload })
    const handoff = await app.inject({ method: 'POST', url: `/handoff?${query}`, headers, payload })
    const counts = [compacted.json<{ summary?: string }>().summary, handoff.json<{ document?: string }>().document].map(
      (text) => countOf(text ?? ''),
    )
    t.same([name, compacted.statusCode, handoff.statusCode, ...counts], [name, 200, 200, 1, 1])
  }
})
