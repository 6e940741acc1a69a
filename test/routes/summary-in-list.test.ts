import t from 'tap'
import { createSummarizer } from '../../src/model/create-summarizer.ts'
import { readSettings } from '../../src/settings.ts'
import { startApp, templates } from '../support/start-app.ts'

const { app } = await startApp(t, { summarizer: await createSummarizer(readSettings({}), templates) })

interface Message {
  role: string
  content: string
}

interface Plan {
  hasPreviousSummary: boolean
  entries: { id: string; type: string; region: string }[]
}

async function post<T>(url: string, payload: object): Promise<T> {
  const response = await app.inject({ method: 'POST', url, payload })
  t.equal(response.statusCode, 200)
  return response.json<T>()
}

/** Returns turns, each with a lasting demand of the user. */
const turns = (count: number, from = 0): Message[] =>
  Array.from({ length: count }, (_, index) => from + index).flatMap((turn) => [
    { role: 'user', content: `Task ${turn}: never touch migrations/m${turn}.sql. Fix src/f${turn}.ts` },
    { role: 'assistant', content: `Done ${turn}: ${`changed the parser ${turn}. `.repeat(30)}` },
  ])

const settings = { keepRecentTokens: 300 }
const first = await post<{ summary: string; firstKeptEntryId: string }>('/compaction', {
  messages: turns(20),
  settings,
})
const { summary } = first
const kept = turns(20).slice(Number(first.firstKeptEntryId.slice(1)))

const planOf = async (messages: readonly object[]): Promise<Plan> =>
  await post<Plan>('/compaction/plan?include=entries', { messages, settings })

/** Returns how many headings of a goal a text has, and whether it has all demands of the first compaction. */
const survey = (text: string) => ({
  goals: text.split('## Goal\n').length - 1,
  lost: Array.from({ length: 20 }, (_, turn) => turn).filter((turn) => !text.includes(`m${turn}.sql`)),
})

const said = (role: string, content = summary): Message[] => [{ role, content }]

const places: Record<string, Message[]> = {
  'as a message of the user': said('user'),
  'as a system prompt': said('system'),
  'as the instructions of a developer': said('developer'),
  'as an answer': said('assistant'),
  'in tags': said('user', `<summary>\n${summary}\n</summary>`),
  'in tags of a system prompt': said('system', `<summary>\n${summary}\n</summary>`),
  'below a line that ends in a colon': said('user', `Summary of the conversation so far:\n\n${summary}`),
  'after a system prompt': [{ role: 'system', content: 'You are a coding agent.' }, ...said('user')],
  'with an answer': [...said('user'), { role: 'assistant', content: 'Understood. I continue from this summary.' }],
}

for (const [place, before] of Object.entries(places)) {
  t.test(`a summary at the beginning of a list is updated: ${place}`, async (t) => {
    const messages = [...before, ...kept, ...turns(10, 20)]
    t.equal((await planOf(messages)).hasPreviousSummary, true)
    const { summary: next } = await post<{ summary: string }>('/compaction', { messages, settings })
    t.same(survey(next), { goals: 1, lost: [] })
  })
}

t.test('what the user said before the summary stays in the context, and is summarized with it', async (t) => {
  const messages = [{ role: 'user', content: 'Never touch LICENSE.' }, ...said('assistant'), ...kept, ...turns(10, 20)]
  const { hasPreviousSummary, entries } = await planOf(messages)
  t.same(
    { hasPreviousSummary, entries: entries.slice(0, 2).map(({ type, region }) => [type, region]) },
    {
      hasPreviousSummary: true,
      entries: [
        ['message', 'summarized'],
        ['compaction', 'ignored'],
      ],
    },
  )
  const { summary: next } = await post<{ summary: string }>('/compaction', { messages, settings })
  t.same({ ...survey(next), isKept: next.includes('LICENSE') }, { goals: 1, lost: [], isKept: true })
})

t.test('a summary that the user quotes later, or asks about, is a message', async (t) => {
  const quoted = [...turns(2), ...said('user'), ...turns(10, 20)]
  const asked = [...said('user', `${summary}\n\nIs this summary right?`), ...turns(10, 20)]
  for (const messages of [quoted, asked]) t.equal((await planOf(messages)).hasPreviousSummary, false)
})

t.test('in a list of another API too', async (t) => {
  const call = { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a.ts' } }
  const result = { type: 'tool_result', tool_use_id: 'c1', content: 'text' }
  const messages = [
    ...said('user'),
    { role: 'assistant', content: [call] },
    { role: 'user', content: [result] },
    ...kept,
    ...turns(10, 20),
  ]
  t.equal((await planOf(messages)).hasPreviousSummary, true)
})

t.test('the context has the summary once, and the new list has the new one alone', async (t) => {
  const system = { role: 'system', content: 'You are a coding agent.' }
  const messages = [system, ...said('system'), ...kept, ...turns(10, 20)]
  const context = await post<{ messages: unknown[] }>('/context', { messages: [system, ...said('system'), ...kept] })
  t.equal(JSON.stringify(context.messages).split('## Goal').length - 1, 1)
  const { messages: list } = await post<{ messages: Message[] }>('/compaction?reply=native', { messages, settings })
  t.same(list[0], system)
  t.same(survey(JSON.stringify(list.slice(1).map(({ content }) => content)).replaceAll('\\n', '\n')).goals, 1)
})

t.test('the usage of an answer that was kept after the summary says nothing about the present context', async (t) => {
  const usage = { input: 90_000, output: 10 }
  const withUsage = kept.map((message) => (message.role === 'assistant' ? { ...message, usage } : message))
  const { contextTokens } = await post<{ contextTokens: number }>('/compaction/plan', {
    messages: [...said('user'), ...withUsage],
    settings,
  })
  t.ok(contextTokens < 20_000, `${contextTokens}`)
})
