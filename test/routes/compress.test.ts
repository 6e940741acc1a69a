import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { Problem } from '../../src/errors.ts'
import type { CompressReply } from '../../src/schemas/compress.ts'
import { charactersParsed } from '../support/characters-parsed.ts'
import { compress, conversation, summaryIn, SYSTEM, turnOf, type GatewayMessage } from '../support/gateway.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { startApp } from '../support/start-app.ts'
import { textOfTokens } from '../support/text-of-tokens.ts'
import { rejectOnAbort, until } from '../support/until.ts'

const BUDGET = 2000

/** The answer of a model that never answers. */
const untilAborted = (_task: unknown, { signal }: { signal: AbortSignal }) => rejectOnAbort(signal)

t.test('below 80 % of the limit, the messages come back, and nothing is summarized', async (t) => {
  const summarizer = fakeSummarizer()
  const { app, log } = await startApp(t, { summarizer })
  const messages = [
    ...conversation(3),
    { role: 'user', content: 'Next.', cache_control: { type: 'ephemeral' }, n: 1.5 },
  ]
  const { status, body } = await compress(app, { messages, token_budget: BUDGET })
  const { tokens_before: tokens } = body
  t.equal(status, 200)
  t.same(body, {
    messages,
    tokens_before: tokens,
    tokens_after: tokens,
    tokens_saved: 0,
    compression_ratio: 1,
    transforms_applied: [],
    transforms_summary: {},
    ccr_hashes: [],
  })
  t.same(summarizer.tasks, [])
  t.match(log(), /"compressed":"unchanged","tokensBefore":\d+,"tokensAfter":\d+/)
})

t.test(
  'from 80 % on a summary is written in the background, and above the limit it replaces the beginning',
  async (t) => {
    const summarizer = fakeSummarizer('## Goal\nFix the files.')
    const { app, log } = await startApp(t, { summarizer })
    const ask = (turns: number) => compress(app, { messages: conversation(turns), token_budget: BUDGET })
    let turns = 1
    while ((await ask(turns)).body.tokens_after < 0.8 * BUDGET) turns += 1
    await until(() => log().includes('"outcome":"ready"'))
    t.equal(log().match(/"outcome":"ready"/g)?.length, 1)
    while ((await ask(turns)).body.transforms_applied.length === 0) turns += 1
    const { body } = await ask(turns)
    const messages = conversation(turns)
    const [system, summary, ...kept] = body.messages
    t.same(system, SYSTEM)
    t.match(summary, { role: 'user', content: /^Summary of the earlier conversation.*\n\n## Goal\nFix the files\./ })
    t.same(kept, messages.slice(messages.length - kept.length))
    t.ok(body.tokens_after <= BUDGET)
    t.match(body, {
      transforms_applied: ['precis:summary'],
      transforms_summary: { 'precis:summary': 1 },
      ccr_hashes: [],
    })
    t.equal(body.tokens_saved, body.tokens_before - body.tokens_after)
    t.equal(body.compression_ratio, body.tokens_after / body.tokens_before)
    t.same((await ask(turns)).body, body, 'an equal conversation gets an equal reply')
    t.match(log(), /"compressed":"stored"/)
    t.notMatch(log(), /Fix file|src\/file/)
  },
)

t.test('where no summary is ready, the embedded one is used at once, and stays', async (t) => {
  const never = fakeSummarizer(untilAborted)
  const { app } = await startApp(t, { summarizer: never })
  const first = await compress(app, { messages: conversation(12), token_budget: BUDGET })
  t.match(summaryIn(first.body.messages), /## Goal/)
  t.ok(first.body.tokens_after <= BUDGET)
  const second = await compress(app, { messages: [...conversation(12), ...turnOf(12, 10)], token_budget: BUDGET })
  t.equal(summaryIn(second.body.messages), summaryIn(first.body.messages))
})

t.test('with PRECIS_COMPRESS_WAIT_MS, a request above the limit waits for the model', async (t) => {
  const summarizer = fakeSummarizer('## Goal\nWritten by the model.')
  const settings = { compress: { limitTokens: BUDGET, waitMs: 60_000 } }
  const { app } = await startApp(t, { summarizer, settings })
  const { body } = await compress(app, { messages: conversation(12) })
  t.match(summaryIn(body.messages), /Written by the model/)
})

t.test('calls stay with their results, in the formats of OpenAI and of Anthropic', async (t) => {
  const { app } = await startApp(t, { summarizer: { name: 'embedded', windowTokens: () => 1000 } })
  for (let tokens = 40; tokens < 260; tokens += 20) {
    const chat = conversation(14, tokens)
    for (const messages of [chat, chat.map(asAnthropic)]) {
      const { body, status } = await compress(app, { messages, token_budget: 800 })
      t.equal(status, 200)
      const json = JSON.stringify(body.messages)
      const answered = [...json.matchAll(/"(?:tool_call_id|tool_use_id)":"(\w+)"/g)].map(([, id]) => id)
      const called = [...json.matchAll(/"id":"(\w+)"/g)].map(([, id]) => id)
      t.same(answered, called)
    }
  }
})

function asAnthropic(message: Record<string, unknown>): object {
  const {
    role,
    content,
    tool_call_id: id,
    tool_calls: calls,
  } = message as Record<string, unknown> & {
    tool_calls?: { id: string }[]
  }
  if (role === 'tool') return { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] }
  if (calls === undefined)
    return { role: role === 'system' ? 'user' : role, content: [{ type: 'text', text: content }] }
  return { role, content: calls.map((call) => ({ type: 'tool_use', id: call.id, name: 'read', input: {} })) }
}

t.test('the header X-Headroom-Bypass returns the messages unchanged', async (t) => {
  const { app } = await startApp(t)
  const messages = conversation(20)
  const { body } = await compress(app, { messages, token_budget: 500 }, { 'x-headroom-bypass': 'true' })
  t.same(body.messages, messages)
})

t.test('a summary is found by the messages before it, whatever the session id and the instructions', async (t) => {
  const { app } = await startApp(t)
  const ask = async (system: string, id: string, tag: string) => {
    const [, ...others] = conversation(12)
    const messages = [{ role: 'system', content: system }, { role: 'user', content: tag }, ...others]
    const { body } = await compress(app, { messages, token_budget: BUDGET, config: { session_id: id } })
    return { summary: summaryIn(body.messages), session: body.session }
  }
  const first = await ask('It is 10:01.', 'one', 'Begin with apples.')
  t.same(first.session, { id: 'one', frozen_message_count: 2, cached_prefix_replayed: true })
  t.equal((await ask('It is 10:02.', 'two', 'Begin with apples.')).summary, first.summary)
  const other = await ask('It is 10:01.', 'one', 'Begin with pears.')
  t.match(other.summary, /pears/)
  t.notMatch(other.summary, /apples/)
})

t.test('two tokens never share a summary', async (t) => {
  let calls = 0
  const summarizer = fakeSummarizer(() => `## Goal\nSummary number ${++calls}.`)
  const settings = { tokens: ['one-token', 'other-token'], compress: { limitTokens: BUDGET, waitMs: 60_000 } }
  const { app } = await startApp(t, { summarizer, settings })
  const ask = async (token: string) =>
    summaryIn((await compress(app, { messages: conversation(12) }, { 'x-headroom-proxy-token': token })).body.messages)
  t.match(await ask('one-token'), /number 1/)
  t.match(await ask('other-token'), /number 2/)
  t.match(await ask('one-token'), /number 1/)
  t.equal((await compress(app, { messages: conversation(1) })).status, 401)
})

t.test('no summary has the mark at which LiteLLM adds a tool', async (t) => {
  const mark = `hash=${'0123456789ab'.repeat(2)}`
  const settings = { compress: { limitTokens: BUDGET, waitMs: 60_000 } }
  const { app } = await startApp(t, { summarizer: fakeSummarizer(`## Goal\nSee ${mark}.`), settings })
  const { body } = await compress(app, { messages: conversation(12) })
  t.match(summaryIn(body.messages), /See hash: 0123/)
  t.notMatch(JSON.stringify(body), /hash=[0-9a-f]{24}/i)
})

t.test('a message that exceeds the limit alone comes back without its middle', async (t) => {
  const { app, log } = await startApp(t)
  const question = { type: 'text', text: 'Why does it fail?', cache_control: { type: 'ephemeral' } }
  const text = `First line.\n${textOfTokens(3000)}\nError: the last line.`
  const messages = [SYSTEM, { role: 'user', content: [{ type: 'text', text }, question], name: 'ada' }]
  const { status, body } = await compress(app, { messages, token_budget: 1000 })
  const [system, message, ...others] = body.messages as { content: [{ text: string }, object] }[]
  t.same([status, others.length, body.transforms_applied], [200, 0, ['precis:shortened']])
  t.same(body.transforms_summary, { 'precis:shortened': 1 })
  t.same(system, SYSTEM)
  t.match(
    message?.content[0].text,
    /^First line\.\n[^]+\n\[\.\.\. \d+ characters left out \.\.\.\]\n[^]+\nError: the last line\.$/,
  )
  t.same({ ...message, content: message?.content[1] }, { role: 'user', content: question, name: 'ada' })
  t.ok(body.tokens_after <= 1000 && body.tokens_after >= 400, `${body.tokens_after} tokens`)
  t.match(log(), /"compressed":"shortened"/)
})

t.test('a message of nearly the limit comes back as it is, as long as the conversation fits', async (t) => {
  const { app } = await startApp(t)
  const messages = [SYSTEM, { role: 'user', content: textOfTokens(960) }]
  const { body } = await compress(app, { messages, token_budget: 1000 })
  t.same([body.messages, body.transforms_applied], [messages, []])
})

/** Returns an agent's newest step: parallel calls, and their results. */
const stepOf = (tokens: number, results = 1): GatewayMessage[] => {
  const ids = Array.from({ length: results }, (_, index) => `big_${index}`)
  const calls = ids.map((id) => ({ id, type: 'function', function: { name: 'read', arguments: `{"path":"${id}"}` } }))
  const answers = ids.map((id) => ({ role: 'tool', tool_call_id: id, content: `${id}:\n${textOfTokens(tokens)}` }))
  return [{ role: 'assistant', content: null, tool_calls: calls }, ...answers]
}

t.test(
  'a reply with a stored summary has the instructions and the kept messages byte for byte, parsed once',
  async (t) => {
    const { app } = await startApp(t, { summarizer: { name: 'embedded', windowTokens: () => 1000 } })
    const lead = { role: 'developer', content: 'Ünd 한글.', n: '#' }
    const [answer, ...before] = [turnOf(0, 700), turnOf(1, 700), turnOf(2, 700)].flat().reverse()
    const kept = [answer, ...turnOf(9, 10), { role: 'system', content: 'Be brief.', n: '#' }, ...stepOf(300)]
    const messages = [SYSTEM, ...before.reverse(), lead, ...kept]
    // A number that a parser would change.
    const write = (value: unknown): string => JSON.stringify(value).replaceAll('"#"', '1.50')
    const payload = write({ messages, token_budget: 2000, config: { session_id: 'é' } })
    const ask = () =>
      app.inject({ method: 'POST', url: '/v1/compress', payload, headers: { 'content-type': 'application/json' } })
    const first = (await ask()).body
    let second = ''
    const characters = await charactersParsed(async () => {
      second = (await ask()).body
    })
    t.equal(second, first)
    const { messages: returned, session, ...facts } = JSON.parse(second) as CompressReply
    const summary = summaryIn(returned)
    const all = [SYSTEM, lead, { role: 'user', content: summary }, ...kept]
    t.equal(second.slice(0, second.indexOf(',"tokens_before"')), write({ messages: all }).slice(0, -1))
    t.same(session, { id: 'é', frozen_message_count: 3, cached_prefix_replayed: true })
    t.match(facts, { transforms_applied: ['precis:summary'], transforms_summary: { 'precis:summary': 1 } })
    const times = characters / payload.length
    t.ok(times > 0.9 && times < 1.05, `parsed ${times.toFixed(2)} times its length`)
  },
)

t.test('whatever the size of the newest messages, the reply is never above the limit', async (t) => {
  const { app } = await startApp(t, { summarizer: { name: 'embedded', windowTokens: () => 1000 } })
  const recount = async (messages: unknown[]): Promise<number> =>
    (await compress(app, { messages }, { 'x-headroom-bypass': 'true' })).body.tokens_before
  for (const turns of [0, 1, 8])
    for (const step of [stepOf(700), stepOf(950), stepOf(5000), stepOf(400, 5), stepOf(20_000, 2)]) {
      const chat = [...conversation(turns), { role: 'user', content: 'Read the big files.' }, ...step]
      for (const messages of [chat, chat.map(asAnthropic)]) {
        const { body, status } = await compress(app, { messages, token_budget: 1000 })
        t.equal(status, 200)
        t.ok(body.tokens_after <= 1000, `${body.tokens_after} tokens`)
        t.ok(Math.abs(body.tokens_after - (await recount(body.messages))) <= 24)
        t.match(JSON.stringify(body.messages.slice(-1)), /big_\d:/, 'the newest result is there')
      }
    }
})

t.test('a shortened message stays the same from turn to turn', async (t) => {
  const { app } = await startApp(t, { summarizer: { name: 'embedded', windowTokens: () => 1000 } })
  const chat = [...conversation(8), { role: 'user', content: 'Read the big file.' }, ...stepOf(4000)]
  const ask = async (messages: readonly unknown[]) => (await compress(app, { messages, token_budget: 2000 })).body
  const first = await ask(chat)
  const second = await ask([
    ...chat,
    { role: 'assistant', content: 'I have read it.' },
    { role: 'user', content: 'Go on.' },
  ])
  t.same(first.transforms_applied, ['precis:summary', 'precis:shortened'])
  t.same(second.messages.slice(0, first.messages.length), first.messages)
})

t.test('long arguments of a call are shortened too, and stay JSON', async (t) => {
  const { app } = await startApp(t)
  const input = { path: 'src/a.ts', content: textOfTokens(3000) }
  const call = { id: 'c1', type: 'function', function: { name: 'write', arguments: JSON.stringify(input) } }
  const other = { id: 'c2', type: 'function', function: { name: 'wait', arguments: '{ "ms": 12345678901234567890 }' } }
  const chat = [
    { role: 'user', content: 'Write it.' },
    { role: 'assistant', content: null, tool_calls: [call, other] },
    { role: 'tool', tool_call_id: 'c1', content: 'Written.' },
    { role: 'tool', tool_call_id: 'c2', content: 'Done.' },
  ]
  const blocks = [{ role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'write', input }] }]
  for (const messages of [chat, [...chat.slice(0, 1), ...blocks]]) {
    const { status, body } = await compress(app, { messages, token_budget: 1000 })
    const json = JSON.stringify(body.messages)
    t.equal(status, 200)
    t.ok(body.tokens_after <= 1000, `${body.tokens_after} tokens`)
    t.match(json, /src\/a\.ts.*characters left out/)
    const [called, second] = (body.messages as { tool_calls?: (typeof call)[] }[]).flatMap(
      ({ tool_calls }) => tool_calls ?? [],
    )
    if (called !== undefined) t.match(JSON.parse(called.function.arguments), { path: 'src/a.ts' })
    if (second !== undefined) t.same(second, other, 'a call without long arguments stays as it is')
  }
})

t.test('instructions that leave no room are refused, and the error says what to do', async (t) => {
  const { app } = await startApp(t)
  const messages = [{ role: 'system', content: textOfTokens(600) }, ...turnOf(1)]
  const { status, body } = await compress(app, { messages, token_budget: 500 })
  t.equal(status, 413)
  t.match(body, { type: 'urn:precis:problem:prompt-too-large', detail: /Raise `token_budget`/, error: {} })
  for (const messages of [[], [7], 'text']) {
    const response = await app.inject({ method: 'POST', url: '/v1/compress', payload: { messages } })
    t.equal(response.statusCode, 400)
    t.match(response.json(), { errors: [{ pointer: /^\/messages/ }] })
  }
})

t.test('a request does not wait any longer once the summary has failed', async (t) => {
  const summarizer = fakeSummarizer(() => {
    throw new Problem('model-failed', 'No.')
  })
  const settings = { compress: { limitTokens: BUDGET, waitMs: 600_000 } }
  const { app, log } = await startApp(t, { summarizer, settings })
  const ask = async () => summaryIn((await compress(app, { messages: conversation(12) })).body.messages)
  t.match(await ask(), /## Goal/)
  t.match(log(), /"outcome":"failed","ms":\d+,"problem":"model-failed"/)
})

t.test('an error of this service in the background is logged with its place, and without its message', async (t) => {
  const summarizer = fakeSummarizer(() => {
    throw new RangeError('the conversation')
  })
  const { app, log } = await startApp(t, { summarizer })
  await compress(app, { messages: conversation(8), token_budget: BUDGET })
  await until(() => log().includes('"outcome":"failed"'))
  t.match(log(), /"level":50,.*"problem":"internal","errorName":"RangeError","frames":\["at /)
  t.notMatch(log(), /the conversation/)
})

t.test('the parameter `candidate` is not read: it selects no summarizer, and is no fault', async (t) => {
  const { app } = await startApp(t)
  const payload = { messages: conversation(1) }
  const { statusCode } = await app.inject({ method: 'POST', url: '/v1/compress?candidate=gpt-99', payload })
  t.equal(statusCode, 200)
  const session = { messages: [{ role: 'user', content: 'Hello.' }] }
  for (const url of ['/prune', '/context', '/compaction/plan', '/handoff']) {
    const reply = await app.inject({ method: 'POST', url: `${url}?candidate=embedded`, payload: session })
    t.same(reply.json<{ report?: { ignored?: object } }>().report?.ignored, { query: { candidate: 1 } }, url)
  }
})

t.test('a drain ends the summaries in the background', async (t) => {
  const summarizer = fakeSummarizer(untilAborted)
  const { app, log } = await startApp(t, { summarizer })
  await compress(app, { messages: conversation(8), token_budget: BUDGET })
  await until(() => summarizer.budgets.length > 0)
  await app.close()
  t.equal(summarizer.budgets[0]?.signal.aborted, true)
  t.match(log(), /"outcome":"cancelled"/)
})

t.test('a summary in the background ends at the deadline of the service', async (t) => {
  const timers: { callback: () => void; ms: number }[] = []
  const startTimer = (callback: () => void, ms: number) => {
    timers.push({ callback, ms })
    return () => undefined
  }
  const summarizer = fakeSummarizer(untilAborted)
  const { app, log } = await startApp(t, { summarizer, startTimer, settings: { deadlineMs: 12_345 } })
  await compress(app, { messages: conversation(8), token_budget: BUDGET })
  await until(() => summarizer.budgets.length > 0)
  t.equal(summarizer.budgets[0]?.tokenDigest, '')
  for (const { callback, ms } of timers) if (ms === 12_345) callback()
  await until(() => summarizer.budgets[0]?.signal.aborted === true)
  t.notMatch(log(), /"outcome":"ready"/)
})

/** A message of Anthropic's API as a client may write it: a parser changes its number and its escape. */
const EXACT =
  '{ "role": "assistant",  "content": [{"type":"tool_use","id":"a","name":"read","input":{"id":1234567890123456789,"x":1.50,"y":"\\u00e9"}}] }'

const postText = async (app: FastifyInstance, payload: string) => {
  const headers = { 'content-type': 'application/json' }
  return (await app.inject({ method: 'POST', url: '/v1/compress', payload, headers })).body
}

t.test('messages that stay are copied byte for byte, below the limit and above it', async (t) => {
  const { app } = await startApp(t)
  const [system, ...others] = conversation(12).map((message) => JSON.stringify(message))
  const whole = await postText(app, `{"messages": [7], "messages" : [ ${EXACT} ,\n${EXACT} ], "token_budget": 2000}`)
  t.ok(whole.startsWith(`{"messages":[${EXACT},${EXACT}],"tokens_before":`), whole)
  const newest = `{"role":"user","content":"Next.","seed":9007199254740993}`
  const instruction = `{"role":"system","content":"Be brief.","n":1.0}`
  const cut = await postText(
    app,
    `{"token_budget": ${BUDGET}, "messages": [${[system, instruction, ...others, EXACT, newest].join(',')}]}`,
  )
  t.ok(cut.startsWith(`{"messages":[${system},${instruction},{"role":"user","content":"Summary of the earlier`), cut)
  t.ok(cut.includes(`},${EXACT},${newest}],"tokens_before":`), cut)
  t.match(JSON.parse(cut), { transforms_applied: ['precis:summary'] })
})
