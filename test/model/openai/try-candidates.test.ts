import t from 'tap'
import { fakeTimers } from '../../support/fake-timers.ts'
import { errorReply, FAULTS } from '../../support/model-replies.ts'
import type { Reply, Script } from '../../support/model-server.ts'
import { candidates, openBudget, outcomeOf, startSummarizer, TASK } from '../../support/start-summarizer.ts'

/** Returns a script with one reply for each candidate. */
const byModel =
  (replies: Record<string, Reply | string>): Script =>
  ({ body }) =>
    replies[body['model'] as string] ?? { status: 404 }

const modelsOf = (requests: { body: Record<string, unknown> }[]) => requests.map(({ body }) => body['model'])

t.test('when a candidate fails, the next one is called, and all calls are counted', async (t) => {
  const { summarizer, server } = await startSummarizer(t, byModel({ first: FAULTS.internal, second: 'ok' }), {
    candidates: candidates('first', 'second', 'third'),
  })
  t.strictSame(await summarizer.summarize(TASK, openBudget()), {
    text: 'ok',
    model: 'second',
    calls: 4,
    usage: { inputTokens: 100, outputTokens: 10 },
    redactions: 0,
    chunks: 1,
    lastPrompt: { prompt: TASK.prompt, promptTokens: TASK.promptTokens },
  })
  t.same(modelsOf(server.requests), ['first', 'first', 'first', 'second'])
})

t.test('each task begins with the first candidate', async (t) => {
  const { summarizer, server } = await startSummarizer(t, [FAULTS.refused, 'ok', 'ok'], {
    candidates: candidates('first', 'second'),
  })
  await summarizer.summarize(TASK, openBudget())
  t.equal((await summarizer.summarize(TASK, openBudget())).model, 'first')
  t.same(modelsOf(server.requests), ['first', 'second', 'first'])
})

/** The replies of two candidates, the number of calls, and the outcome. */
const PAIRS: [first: Reply, second: Reply | string, calls: number, outcome: Record<string, unknown>][] = [
  [FAULTS.rateLimitedForLong, 'ok', 2, { text: 'ok', calls: 2 }],
  [FAULTS.refused, 'ok', 2, { text: 'ok', calls: 2 }],
  [FAULTS.filtered, 'ok', 2, { text: 'ok', calls: 2 }],
  [FAULTS.wrongKey, 'ok', 2, { text: 'ok', calls: 2 }],
  [FAULTS.unknownModel, 'ok', 2, { text: 'ok', calls: 2 }],
  [FAULTS.badRequest, 'ok', 2, { text: 'ok', calls: 2 }],
  [FAULTS.tooLong, 'ok', 2, { text: 'ok', calls: 2 }],
  [FAULTS.cutOff, 'ok', 3, { text: 'ok', calls: 3 }],
  [FAULTS.html, 'ok', 3, { text: 'ok', calls: 3 }],
  [
    FAULTS.wrongKey,
    FAULTS.unknownModel,
    2,
    {
      type: 'model-misconfigured',
      detail:
        'first: the model server rejected the API key (HTTP 401); second: the model server does not know this model (HTTP 404). Check the API key and the model names in the configuration of the service.',
    },
  ],
  [
    FAULTS.wrongKey,
    FAULTS.empty,
    3,
    {
      type: 'model-failed',
      detail: 'first: the model server rejected the API key (HTTP 401); second: the reply had no text.',
    },
  ],
  [
    FAULTS.tooLong,
    FAULTS.tooLong,
    2,
    {
      type: 'prompt-too-large',
      detail:
        'first: the model server rejected the prompt as too long (HTTP 400); second: the model server rejected the prompt as too long (HTTP 400). Send a shorter prompt, or configure a model with a larger context window.',
    },
  ],
]

for (const [first, second, calls, expected] of PAIRS)
  t.test(`${JSON.stringify(first).slice(0, 60)}, then ${JSON.stringify(second).slice(0, 60)}`, async (t) => {
    const { summarizer, server } = await startSummarizer(t, byModel({ first, second }), {
      candidates: candidates('first', 'second'),
    })
    t.strictSame(await outcomeOf(summarizer.summarize(TASK, openBudget())), expected)
    t.equal(server.requests.length, calls)
  })

t.test('after a rejection as too long, a candidate with a smaller window is skipped', async (t) => {
  const { summarizer, server } = await startSummarizer(t, byModel({ first: FAULTS.tooLong, third: FAULTS.tooLong }), {
    candidates: [
      { model: 'first', contextWindow: 100_000 },
      { model: 'second', contextWindow: 50_000 },
      { model: 'third', contextWindow: 200_000 },
    ],
  })
  t.strictSame(await outcomeOf(summarizer.summarize(TASK, openBudget())), {
    type: 'prompt-too-large',
    detail:
      'first: the model server rejected the prompt as too long (HTTP 400); second: not called, because the prompt does not fit into its context window; third: the model server rejected the prompt as too long (HTTP 400). Send a shorter prompt, or configure a model with a larger context window.',
  })
  t.same(modelsOf(server.requests), ['first', 'third'])
})

t.test('the summarizer’s window is that of the first candidate', async (t) => {
  const { summarizer } = await startSummarizer(t, [], {
    candidates: [
      { model: 'first', contextWindow: 100_000 },
      { model: 'second', contextWindow: 200_000 },
    ],
  })
  t.equal(summarizer.windowTokens(), 100_000)
})

t.test('a stalled candidate leaves time for the next one', async (t) => {
  const { startTimer, runOut } = fakeTimers()
  const waited: unknown[] = []
  const stall = { ...FAULTS.stalled, onHang: () => waited.push(runOut()) }
  const { summarizer, server } = await startSummarizer(t, byModel({ first: stall, second: 'ok' }), {
    candidates: candidates('first', 'second'),
    startTimer,
    now: () => 1000,
  })
  const budget = { ...openBudget(), deadlineAt: 2500 }
  t.equal((await summarizer.summarize(TASK, budget)).model, 'second')
  t.same(waited, [750], 'half of the time')
  t.same(modelsOf(server.requests), ['first', 'second'])
  await server.requests[0]?.ended
  t.equal(server.requests[0]?.aborted, true)
})

t.test('a window that a server has shown is named in the log, and where it is the reason of no call', async (t) => {
  const tooLong = errorReply(400, "This model's maximum context length is 2000 tokens.")
  const { summarizer, server } = await startSummarizer(t, [tooLong], { candidates: candidates('m') })
  const learned: unknown[] = []
  const budget = () => ({
    ...openBudget(),
    tokenDigest: 'a',
    onCall: ({ learnedWindowTokens }: { learnedWindowTokens?: number }) => learned.push(learnedWindowTokens),
  })
  const task = { ...TASK, promptTokens: 5000 }
  await t.rejects(summarizer.summarize(task, budget()))
  t.same([learned, server.requests.length], [[undefined, undefined, 2000], 1])
  await t.rejects(summarizer.summarize(task, budget()), {
    message: new RegExp(
      'm: not called, because the prompt does not fit into its context window of 2,000 tokens, which its server has shown by ' +
        'rejecting a prompt \\(a window is tried again after ten minutes\\)',
    ),
    facts: { model: 'm', outcome: 'small-window', learnedWindow: 2000 },
  })
  t.equal(server.requests.length, 1)
})
