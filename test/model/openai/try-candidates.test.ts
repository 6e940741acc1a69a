import t from 'tap'
import { fakeTimers } from '../../support/fake-timers.ts'
import { FAULTS } from '../../support/model-replies.ts'
import type { Reply, Script } from '../../support/model-server.ts'
import { candidates, openBudget, outcomeOf, startSummarizer, TASK } from '../../support/start-summarizer.ts'

/** A script that answers each candidate in its own way, again and again. */
const byModel =
  (replies: Record<string, Reply | string>): Script =>
  ({ body }) =>
    replies[body['model'] as string] ?? { status: 404 }

const asked = (requests: { body: Record<string, unknown> }[]) => requests.map(({ body }) => body['model'])

t.test('the next candidate is asked when one has failed, and all calls are counted', async (t) => {
  const { summarizer, server } = await startSummarizer(t, byModel({ first: FAULTS.internal, second: 'ok' }), {
    candidates: candidates('first', 'second', 'third'),
  })
  t.strictSame(await summarizer.summarize(TASK, openBudget()), {
    text: 'ok',
    model: 'second',
    calls: 4,
    usage: { inputTokens: 100, outputTokens: 10 },
    redactions: 0,
    windows: 1,
    prompt: TASK.prompt,
  })
  t.same(asked(server.requests), ['first', 'first', 'first', 'second'])
})

t.test('the next task begins with the first candidate again', async (t) => {
  const { summarizer, server } = await startSummarizer(t, [FAULTS.refused, 'ok', 'ok'], {
    candidates: candidates('first', 'second'),
  })
  await summarizer.summarize(TASK, openBudget())
  t.equal((await summarizer.summarize(TASK, openBudget())).model, 'first')
  t.same(asked(server.requests), ['first', 'second', 'first'])
})

/** What two candidates do, and what comes of it in how many calls. */
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
      detail: 'first refused our key (HTTP 401); second is unknown to the model server (HTTP 404).',
    },
  ],
  [
    FAULTS.wrongKey,
    FAULTS.empty,
    3,
    { type: 'model-failed', detail: 'first refused our key (HTTP 401); second answered with no text.' },
  ],
  [
    FAULTS.tooLong,
    FAULTS.tooLong,
    2,
    {
      type: 'prompt-too-large',
      detail: 'first called the prompt too long (HTTP 400); second called the prompt too long (HTTP 400).',
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

t.test('after a prompt that was too long a candidate with a smaller window is passed over', async (t) => {
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
      'first called the prompt too long (HTTP 400); second was not asked, its context window being smaller still; third called the prompt too long (HTTP 400).',
  })
  t.same(asked(server.requests), ['first', 'third'])
})

t.test('the window that is told is the one of the candidate that is asked first', async (t) => {
  const { summarizer } = await startSummarizer(t, [], {
    candidates: [
      { model: 'first', contextWindow: 100_000 },
      { model: 'second', contextWindow: 200_000 },
    ],
  })
  t.equal(summarizer.windowTokens(), 100_000)
})

t.test('a stalled candidate leaves its time to the next one', async (t) => {
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
  t.same(asked(server.requests), ['first', 'second'])
  await server.requests[0]?.ended
  t.equal(server.requests[0]?.aborted, true)
})
