import t from 'tap'
import { KeptAnswers } from '../../src/session/kept-answers.ts'
import type { PlanReply } from '../../src/schemas/plan.ts'
import { startApp } from '../support/start-app.ts'

/** Sessions in which a compaction has kept an answer by value, and what the session has once the agent has answered again. */
const SESSIONS: Readonly<Record<string, { kept: object[]; next: object[]; document: (list: object[]) => object }>> = {
  cline: {
    kept: [
      {
        ...{ id: 'm0', role: 'user', content: 'Context summary:\n\nSo far.', ts: 3000 },
        metadata: { kind: 'compaction_summary', summary: 'So far.' },
      },
      { id: 'm1', role: 'user', content: 'Fix it.', ts: 1000 },
      { id: 'm2', role: 'assistant', content: 'Fixed.', ts: 2000, metrics: { inputTokens: 9000, outputTokens: 5 } },
    ],
    next: [
      { id: 'm3', role: 'user', content: 'Go on.', ts: 4000 },
      { id: 'm4', role: 'assistant', content: 'Done.', ts: 5000, metrics: { inputTokens: 700, outputTokens: 5 } },
    ],
    document: (messages) => ({ version: 1, messages }),
  },
  gemini: {
    kept: [
      gemini('a', 'user', { at: 3, text: '<state_snapshot>\nSo far.\n</state_snapshot>' }),
      gemini('b', 'user', { at: 1, text: 'Fix it.' }),
      { ...gemini('c', 'gemini', { at: 2, text: 'Fixed.' }), tokens: { input: 9000, output: 5 } },
    ],
    next: [
      gemini('d', 'user', { at: 4, text: 'Go on.' }),
      { ...gemini('e', 'gemini', { at: 5, text: 'Done.' }), tokens: { input: 700, output: 5 } },
    ],
    document: (messages) => ({ sessionId: 's', projectHash: 'h', messages }),
  },
  'openhands-v0': {
    kept: [
      { id: 0, source: 'user', action: 'message', args: { content: 'Begin.' } },
      { id: 1, source: 'user', action: 'message', args: { content: 'Fix it.' } },
      openhandsCall(2, 9000),
      { id: 3, source: 'agent', action: 'condensation', args: { forgotten_event_ids: [0], summary: 'So far.' } },
    ],
    next: [{ id: 4, source: 'user', action: 'message', args: { content: 'Go on.' } }, openhandsCall(5, 700)],
    document: (events) => events,
  },
  'messages of pi': {
    kept: [
      { role: 'compactionSummary', summary: 'So far.', timestamp: 3000 },
      { role: 'user', content: 'Fix it.', timestamp: 1000 },
      { role: 'assistant', content: 'Fixed.', timestamp: 2000, usage: { input: 9000, output: 5 } },
    ],
    next: [
      { role: 'user', content: 'Go on.', timestamp: 4000 },
      { role: 'assistant', content: 'Done.', timestamp: 5000, usage: { input: 700, output: 5 } },
    ],
    document: (messages) => ({ messages }),
  },
}

function gemini(id: string, type: string, { at, text }: { at: number; text: string }): object {
  return { id, timestamp: `2026-01-01T00:00:0${at}.000Z`, type, content: [{ text }] }
}

function openhandsCall(id: number, tokens: number): object {
  const metadata = { function_name: 'run', tool_call_id: `c${id}`, total_calls_in_response: 1 }
  const message = { role: 'assistant', content: 'Fixed.', tool_calls: [] }
  const model_response = {
    id: `r${id}`,
    choices: [{ message }],
    usage: { prompt_tokens: tokens, completion_tokens: 5 },
  }
  return { id, source: 'agent', action: 'run', args: {}, tool_call_metadata: { ...metadata, model_response } }
}

for (const [name, { kept, next, document }] of Object.entries(SESSIONS))
  t.test(`${name}: the usage of a kept answer is not that of the context, the usage of the next one is`, async (t) => {
    const { app } = await startApp(t)
    const plan = async (list: object[]): Promise<PlanReply> =>
      (await app.inject({ method: 'POST', url: '/compaction/plan', payload: document(list) })).json()
    const { tokensOutside, lastTokensOutside, contextTokens } = await plan(kept)
    t.equal(tokensOutside, 0)
    // What was outside is unknown where the covered messages are gone.
    t.equal(lastTokensOutside, undefined)
    t.ok(contextTokens < 100, String(contextTokens))
    t.equal((await plan([...kept, ...next])).contextTokens, 705)
  })

t.test('a list of messages with times that is written back has the time of its summary', async (t) => {
  const { app } = await startApp(t)
  const later = Date.UTC(2200, 0)
  const messages = [
    { role: 'user', content: 'Fix the parser. '.repeat(200), timestamp: 1000 },
    { role: 'assistant', content: 'Fixed.', timestamp: 2000 },
    { role: 'user', content: 'Now the lexer.', timestamp: 3000 },
    { role: 'assistant', content: 'Done.', timestamp: later, usage: { input: 9000, output: 5 } },
  ]
  const payload = { messages, history: true, summary: 'So far.', settings: { keepRecentTokens: 20 } }
  const reply = (await app.inject({ method: 'POST', url: '/compaction', payload })).json<{ history: object[] }>()
  t.match(reply.history[0], { role: 'user', timestamp: later })
  const contextOf = async (list: object[]): Promise<number> => {
    const plan = await app.inject({ method: 'POST', url: '/compaction/plan', payload: { messages: list } })
    return plan.json<PlanReply>().contextTokens
  }
  const size = await contextOf(reply.history)
  t.ok(size < 100, String(size))
  const answer = { role: 'assistant', content: 'More.', timestamp: later + 1, usage: { input: 700, output: 5 } }
  t.equal(await contextOf([...reply.history, answer]), 705)
})

t.test('an answer without a time counts as kept, until a compaction has kept nothing', async (t) => {
  const kept = new KeptAnswers()
  const usage = { input: 9, output: 1, cacheRead: 0, cacheWrite: 0 }
  const found = () =>
    [undefined, 1000, '1970-01-01T00:00:02Z', 3000].map((time) => {
      const { usage: present, keptUsage } = kept.describe(usage, time)
      t.same(present ?? keptUsage?.usage, usage)
      return keptUsage?.compactions ?? 0
    })
  t.same(found(), [0, 0, 0, 0])
  kept.compact(2000)
  t.same(found(), [1, 1, 1, 0])
  kept.compact(2500)
  t.same(found(), [2, 2, 2, 0])
  kept.compact(undefined)
  t.same(found(), [3, 3, 3, 1])
  kept.replaceAll()
  t.same(found(), [0, 0, 0, 0])
  t.same(kept.describe(undefined, 1000), {})
})

t.test(
  'a summary is never written with a time before what it follows, and a number that is no time is none',
  async (t) => {
    const { app } = await startApp(t)
    t.intercept(Date, 'now', { value: () => Date.UTC(2026, 0) })
    const summaryTime = async (...times: unknown[]): Promise<unknown> => {
      const text = { role: 'user', content: 'Fix the parser. '.repeat(200) }
      const kept = times.map((timestamp) => ({ role: 'user', content: 'More.', timestamp }))
      const payload = {
        messages: [text, ...kept],
        history: true,
        summary: 'So far.',
        settings: { keepRecentTokens: 1 },
      }
      const reply = await app.inject({ method: 'POST', url: '/compaction', payload })
      return reply.json<{ history: { timestamp?: unknown }[] }>().history[0]?.timestamp
    }
    t.equal(await summaryTime(1000), Date.UTC(2026, 0))
    t.equal(await summaryTime(Date.UTC(2027, 0)), Date.UTC(2027, 0))
    t.equal(await summaryTime(1e300), undefined)
    const record = (id: string, text: string, timestamp: unknown) => ({
      id,
      type: 'user',
      timestamp,
      content: [{ text }],
    })
    const messages = [record('a', 'Fix the parser. '.repeat(200), 1), record('b', 'More.', 1e300)]
    const payload = { sessionId: 's', projectHash: 'h', messages }
    const url = '/compaction?native=true&keepRecentTokens=1&summary=So+far.'
    const reply = await app.inject({ method: 'POST', url, payload })
    t.match(reply.json<{ native: { body: string } }>().native.body, '"timestamp":"2026-01-01T00:00:00.000Z"')
  },
)
