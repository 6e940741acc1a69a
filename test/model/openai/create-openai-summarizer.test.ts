import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { Problem } from '../../../src/errors.ts'
import { createOpenAiSummarizer, type OpenAiOptions } from '../../../src/model/openai/create-openai-summarizer.ts'
import type { CallBudget, SummaryTask } from '../../../src/model/summarizer.ts'
import { startModelServer, type Reply, type Script } from '../../support/model-server.ts'

const TASK: SummaryTask = {
  kind: 'prompt',
  systemPrompt: 'Be brief.',
  prompt: 'Summarize.',
  maxTokens: 50,
  source: { form: 'prompt', prompt: 'Summarize.' },
}

const budget = (deadlineMs = 10_000): CallBudget & { controller: AbortController } => {
  const controller = new AbortController()
  return { controller, signal: controller.signal, deadlineAt: Date.now() + deadlineMs }
}

async function start(t: Test, script: Script, options: Partial<OpenAiOptions> = {}) {
  const server = await startModelServer(t, script)
  const waits: number[] = []
  const summarizer = createOpenAiSummarizer({
    baseUrl: server.url,
    apiKey: 'sk-our-own-key',
    candidates: [{ model: 'first', contextWindow: 128_000 }],
    maxSummaryTokens: 1000,
    concurrency: 4,
    brevityDemand: 'Be much shorter.',
    tools: {
      wait: async (ms) => {
        waits.push(ms)
      },
      random: () => 0,
    },
    ...options,
  })
  return { summarizer, server, waits }
}

const failureOf = (pending: Promise<unknown>): Promise<unknown> => pending.catch((error: unknown) => error)

const TWO = { candidates: ['first', 'second'].map((model) => ({ model, contextWindow: 128_000 })) }

t.test('the model server sees the system prompt, the prompt and the limit, and nothing else', async (t) => {
  const { summarizer, server } = await start(t, ['A summary.'])
  t.strictSame(await summarizer.summarize(TASK, budget()), {
    text: 'A summary.',
    model: 'first',
    calls: 1,
    usage: { inputTokens: 100, outputTokens: 10 },
  })
  t.equal(server.requests.length, 1)
  t.equal(server.requests[0]?.path, '/v1/chat/completions')
  t.strictSame(server.requests[0]?.body, {
    model: 'first',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Summarize.' },
    ],
    max_completion_tokens: 50,
  })
})

t.test('without a system prompt there is no system message', async (t) => {
  const { summarizer, server } = await start(t, ['A summary.'])
  const { systemPrompt: _, ...task } = TASK
  await summarizer.summarize(task, budget())
  t.strictSame(server.requests[0]?.body['messages'], [{ role: 'user', content: 'Summarize.' }])
})

t.test('the reasoning effort goes along where it is configured', async (t) => {
  const { summarizer, server } = await start(t, ['A summary.'], { reasoningEffort: 'low' })
  await summarizer.summarize(TASK, budget())
  t.equal(server.requests[0]?.body['reasoning_effort'], 'low')
})

const refusal = (message: string, extra: object = {}): Reply => ({
  status: 400,
  body: { error: { message, ...extra } },
})
const tooLong = refusal('This model has a maximum context length of 8192 tokens.', { code: 'context_length_exceeded' })

/** What one candidate's server does, and what the summarizer makes of it: a text, or a problem with its detail. */
const faults: [
  name: string,
  script: Script,
  expected: { text?: string; type?: string; detail?: RegExp; calls: number },
][] = [
  ['429 that passes', [{ status: 429 }, 'ok'], { text: 'ok', calls: 2 }],
  ['429 that stays', [{ status: 429 }], { type: 'model-failed', detail: /limited our rate \(HTTP 429\)/, calls: 3 }],
  [
    '429 with a long Retry-After',
    [{ status: 429, headers: { 'retry-after': '600' } }],
    { type: 'model-failed', calls: 1 },
  ],
  ['500', [{ status: 500 }, { status: 503 }, 'ok'], { text: 'ok', calls: 3 }],
  ['503 that stays', [{ status: 503 }], { type: 'model-failed', detail: /failed \(HTTP 503\)/, calls: 3 }],
  ['529', [{ status: 529 }, 'ok'], { text: 'ok', calls: 2 }],
  ['a drop before the head', [{ drop: 'before' }, 'ok'], { text: 'ok', calls: 2 }],
  ['a drop in the body', [{ drop: 'in-body' }, 'ok'], { text: 'ok', calls: 2 }],
  ['drops that stay', [{ drop: 'before' }], { type: 'model-failed', detail: /dropped the connection/, calls: 3 }],
  ['HTML', [{ body: '<html>', headers: { 'content-type': 'text/html' } }], { type: 'model-failed', calls: 3 }],
  ['broken JSON', [{ body: '{"choices":' }, 'ok'], { text: 'ok', calls: 2 }],
  ['no choices', [{ body: { choices: [] } }], { type: 'model-failed', detail: /no chat completion/, calls: 3 }],
  ['an empty answer', [{ text: '' }], { type: 'model-failed', detail: /no text/, calls: 3 }],
  ['white space', [{ text: ' \n' }, 'ok'], { text: 'ok', calls: 2 }],
  ['null content', [{ text: null }, 'ok'], { text: 'ok', calls: 2 }],
  ['thinking and nothing else', [{ text: '<think>hm</think>' }, 'ok'], { text: 'ok', calls: 2 }],
  ['thinking before the answer', ['<think>hm</think>\nok'], { text: 'ok', calls: 1 }],
  ['a tool call and nothing else', [{ text: '<tool_call>{}</tool_call>' }, 'ok'], { text: 'ok', calls: 2 }],
  ['a code fence around the whole', ['```markdown\n## Goal\nok\n```'], { text: '## Goal\nok', calls: 1 }],
  ['length without text', [{ text: '', finishReason: 'length' }, 'ok'], { text: 'ok', calls: 2 }],
  [
    'length without text, twice',
    [{ text: '', finishReason: 'length' }],
    { type: 'model-failed', detail: /thinking/, calls: 2 },
  ],
  ['length with text', [{ text: 'half', finishReason: 'length' }, 'ok'], { text: 'ok', calls: 2 }],
  [
    'length with text, twice',
    [{ text: 'half', finishReason: 'length' }],
    { type: 'model-failed', detail: /mid-summary/, calls: 2 },
  ],
  [
    'content_filter',
    [{ text: 'x', finishReason: 'content_filter' }],
    { type: 'model-failed', detail: /refused to answer/, calls: 1 },
  ],
  [
    'a refusal',
    [{ text: null, message: { refusal: 'No.' } }],
    { type: 'model-failed', detail: /refused to answer/, calls: 1 },
  ],
  ['401', [{ status: 401 }], { type: 'model-misconfigured', detail: /refused our key \(HTTP 401\)/, calls: 1 }],
  ['402', [{ status: 402 }], { type: 'model-misconfigured', calls: 1 }],
  ['403', [{ status: 403 }], { type: 'model-misconfigured', calls: 1 }],
  ['404', [{ status: 404 }], { type: 'model-misconfigured', detail: /does not know the model/, calls: 1 }],
  [
    'a quota that is used up',
    [{ status: 429, body: { error: { code: 'insufficient_quota' } } }],
    { type: 'model-misconfigured', calls: 1 },
  ],
  ['too long', [tooLong], { type: 'prompt-too-large', calls: 1 }],
  ['413', [{ status: 413 }], { type: 'prompt-too-large', calls: 1 }],
  [
    'any other 400',
    [refusal('bad schema')],
    { type: 'model-failed', detail: /refused the request \(HTTP 400\)/, calls: 1 },
  ],
  [
    'max_completion_tokens refused',
    [refusal("Unrecognized request argument 'max_completion_tokens'"), 'ok'],
    { text: 'ok', calls: 2 },
  ],
  [
    'longer than the limit, twice',
    ['word '.repeat(100)],
    { type: 'model-failed', detail: /more than the limit/, calls: 2 },
  ],
]

for (const [name, script, expected] of faults)
  t.test(`one candidate: ${name}`, async (t) => {
    const { summarizer, server } = await start(t, script)
    const outcome = await summarizer.summarize(TASK, budget()).then(
      ({ text, calls }) => ({ text, calls }),
      (error: unknown) => error,
    )
    t.equal(server.requests.length, expected.calls, 'calls made')
    if (expected.text !== undefined) t.strictSame(outcome, { text: expected.text, calls: expected.calls })
    else {
      t.ok(outcome instanceof Problem)
      t.match(outcome, { type: expected.type, message: expected.detail ?? /first/ })
      t.notMatch((outcome as Problem).message, /secret|sk-our|8192/)
    }
  })

t.test('after length without text the cap is the limit', async (t) => {
  const { summarizer, server } = await start(t, [{ text: '', finishReason: 'length' }, 'ok'])
  await summarizer.summarize(TASK, budget())
  t.same(
    server.requests.map(({ body }) => body['max_completion_tokens']),
    [50, 1000],
  )
})

t.test('after length with text, brevity is demanded', async (t) => {
  const { summarizer, server } = await start(t, [{ text: 'half', finishReason: 'length' }, 'ok'])
  await summarizer.summarize(TASK, budget())
  t.match(server.requests[1]?.body, {
    messages: [{}, { content: 'Summarize.\n\nBe much shorter.' }],
    max_completion_tokens: 50,
  })
})

t.test('refused parameters are learnt for the process, each candidate for itself', async (t) => {
  const { summarizer, server } = await start(
    t,
    ({ body }) => {
      if ('max_completion_tokens' in body) return refusal('no', { param: 'max_completion_tokens' })
      return 'reasoning_effort' in body ? refusal('reasoning_effort is not supported') : 'ok'
    },
    { reasoningEffort: 'low' },
  )
  t.equal((await summarizer.summarize(TASK, budget())).calls, 3)
  t.equal((await summarizer.summarize(TASK, budget())).calls, 1)
  t.strictSame(Object.keys(server.requests.at(-1)!.body), ['model', 'messages', 'max_tokens'])
})

t.test('the next candidate is asked when one fails, and all calls are counted', async (t) => {
  const { summarizer, server } = await start(t, ({ body }) => (body['model'] === 'first' ? { status: 500 } : 'ok'), TWO)
  t.strictSame(await summarizer.summarize(TASK, budget()), {
    text: 'ok',
    model: 'second',
    calls: 4,
    usage: { inputTokens: 100, outputTokens: 10 },
  })
  t.same(
    server.requests.map(({ body }) => body['model']),
    ['first', 'first', 'first', 'second'],
  )
})

t.test('when every candidate fails, the detail tells of each', async (t) => {
  const { summarizer } = await start(t, ({ body }) => (body['model'] === 'first' ? { status: 401 } : { text: '' }), TWO)
  t.match(await failureOf(summarizer.summarize(TASK, budget())), {
    type: 'model-failed',
    message: 'first refused our key (HTTP 401); second answered with no text.',
  })
})

t.test('a wrong key and an unknown model together are a misconfiguration', async (t) => {
  const { summarizer } = await start(t, ({ body }) => ({ status: body['model'] === 'first' ? 401 : 404 }), TWO)
  t.match(await failureOf(summarizer.summarize(TASK, budget())), { type: 'model-misconfigured' })
})

t.test('waits double, and take what Retry-After asks for', async (t) => {
  const doubling = await start(t, [{ status: 500 }, { status: 500 }, 'ok'])
  await doubling.summarizer.summarize(TASK, budget())
  t.same(doubling.waits, [500, 1000])
  const asked = await start(t, [{ status: 429, headers: { 'retry-after': '7' } }, 'ok'])
  await asked.summarizer.summarize(TASK, budget())
  t.same(asked.waits, [7000])
})

t.test('a wait past the deadline is not waited', async (t) => {
  const { summarizer, waits } = await start(t, [{ status: 429, headers: { 'retry-after': '7' } }, 'ok'])
  t.match(await failureOf(summarizer.summarize(TASK, budget(5000))), { type: 'model-failed' })
  t.same(waits, [])
})

t.test('a stalled call gives way while there is time for another', async (t) => {
  for (const hang of ['before', 'in-body'] as const) {
    const { summarizer, server } = await start(t, [{ hang }, 'ok'])
    t.equal((await summarizer.summarize(TASK, budget(600))).text, 'ok')
    t.equal(server.requests.length, 2)
  }
})

t.test('an abort ends the call at once, with its own reason', async (t) => {
  const { summarizer, server } = await start(t, [{ hang: 'before' }])
  const { controller, ...rest } = budget()
  const reason = new Error('gone')
  const pending = summarizer.summarize(TASK, rest)
  while (server.requests.length === 0) await delay(2)
  controller.abort(reason)
  await t.rejects(pending, reason)
  await delay(50)
  t.equal(server.requests[0]?.aborted, true, 'the connection to the model is closed')
  t.equal(server.requests.length, 1)
})

t.test('no more calls are under way than allowed, and a waiting one that is aborted is never made', async (t) => {
  const { summarizer, server } = await start(t, () => ({ text: 'ok', delayMs: 30 }), { concurrency: 2 })
  const gone = budget()
  const calls = Array.from({ length: 6 }, () => summarizer.summarize(TASK, budget()))
  const waiting = summarizer.summarize(TASK, gone)
  gone.controller.abort(new Error('gone'))
  await t.rejects(waiting, { message: 'gone' })
  await Promise.all(calls)
  t.equal(server.maxConcurrent(), 2)
  t.equal(server.requests.length, 6)
})
