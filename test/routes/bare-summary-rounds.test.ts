import t from 'tap'
import { createSummarizer } from '../../src/model/create-summarizer.ts'
import { readSettings } from '../../src/settings.ts'
import { startApp, templates } from '../support/start-app.ts'

const { app } = await startApp(t, { summarizer: await createSummarizer(readSettings({}), templates) })

const requestOf = (round: number): string => `Please change the module number${round} so that widget${round} works.`
const answerOf = (round: number): string => `I changed src/mod${round}.ts; widget${round} works.`

async function post(url: string, payload: object): Promise<unknown> {
  const response = await app.inject({ method: 'POST', url, payload })
  return response.json<unknown>()
}

/** Compacts one round of a chat that begins with a message with the last summary. */
async function compactChat(first: object[], round: number): Promise<string> {
  const turn = [
    { role: 'user', content: requestOf(round) },
    { role: 'assistant', content: answerOf(round) },
  ]
  const messages = [...first, ...turn, { role: 'user', content: 'Summarize this chat' }]
  const reply = (await post('/v1/chat/completions', { model: 'm', messages })) as {
    choices: [{ message: { content: string } }]
  }
  return reply.choices[0].message.content
}

/** Compacts one round of a transcript that begins with the last summary. */
async function compactTranscript(first: string, round: number): Promise<string> {
  const conversation = `${first}[User]: ${requestOf(round)}\n\n[Assistant]: ${answerOf(round)}`
  const { summary } = (await post('/compaction', { conversation })) as { summary: string }
  return summary
}

type Round = (summary: string | undefined, round: number) => Promise<string>

const asMessage =
  (role: string, write: (summary: string) => string): Round =>
  (summary, round) =>
    compactChat(summary === undefined ? [] : [{ role, content: write(summary) }], round)

const asTurn =
  (write: (summary: string) => string): Round =>
  (summary, round) =>
    compactTranscript(summary === undefined ? '' : `${write(summary)}\n\n`, round)

const ROUNDS: Readonly<Record<string, Round>> = {
  'as the message of the user': asMessage('user', (summary) => summary),
  'in tags, as the message of the user': asMessage('user', (summary) => `<summary>\n${summary}\n</summary>`),
  'after "Context:", as the message of the user': asMessage('user', (summary) => `Context:\n${summary}`),
  'as the system message': asMessage('system', (summary) => summary),
  'as the first message of the assistant': asMessage('assistant', (summary) => summary),
  'after words of the user in a transcript': asTurn((summary) => `[User]: Here is the summary:\n${summary}`),
  'as the words of the user in a transcript': asTurn((summary) => `[User]: ${summary}`),
  'as the words of the system in a transcript': asTurn((summary) => `[System]: ${summary}`),
}

for (const [place, compact] of Object.entries(ROUNDS))
  t.test(`ten compactions update the summary that comes back ${place}`, async (t) => {
    let summary: string | undefined
    for (let round = 1; round <= 10; round++) {
      summary = await compact(summary, round)
      const headings = summary.match(/^[> ]*#{2,6} .*$/gm) ?? []
      t.same(headings, [...new Set(headings)], 'no section occurs twice')
      t.notMatch(summary, /^>.*## Goal/m, 'no summary is quoted')
      const requests = Array.from({ length: round }, (_, index) => requestOf(index + 1))
      const lost = requests.filter((request) => !summary?.includes(request))
      t.same(lost, [], 'all requests')
      t.match(summary.split('## Constraints')[0], requestOf(round), 'the newest request is the goal')
    }
    t.ok((summary?.length ?? 0) < 3000, 'the summary grows with the requests only')
  })

const PLAN = '## Goal\nMake the zebra faster.\n\n## Progress\nNothing is done.\n\n## Next Steps\n- Measure it.'

t.test('a request with headings like those of a summary stays a request', async (t) => {
  for (const text of [PLAN, `Work on this:\n${PLAN}`]) {
    const summary = await compactChat([{ role: 'user', content: text }], 1)
    t.match(summary, /^## Goal\nFirst request:\n/)
    t.match(summary.split('## User Messages')[1], '> Make the zebra faster.')
    t.match(
      (await compactTranscript(`[User]: ${text}\n\n`, 1)).split('## User Messages')[1],
      '> Make the zebra faster.',
    )
  }
})

t.test('a request below a summary, in the same message, is not lost', async (t) => {
  const earlier = await compactChat([], 1)
  const summary = await compactChat([{ role: 'user', content: `${earlier}\n\nNow paint the zebra green.` }], 2)
  t.match(summary, 'Now paint the zebra green.')
})
