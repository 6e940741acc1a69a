import t from 'tap'
import { joinProgress, summarizeSegments } from '../../src/jobs/summarize-segments.ts'
import type { CallBudget, ModelDraft, ModelSummarizer, Progress } from '../../src/model/summarizer.ts'
import type { SummaryTask } from '../../src/prompt/task.ts'
import { untilAborted } from '../../src/runtime/abort.ts'
import { fakeTimers } from '../support/fake-timers.ts'

/** Returns what is reported, and the listeners of some tasks. */
function join(count: number) {
  const sent: string[] = []
  const listen = joinProgress(count, ({ done, total, phase }: Progress) => sent.push(`${phase} ${done}/${total}`))
  return { sent, listen }
}

t.test(
  'the progress of two tasks is one sum, in which a task counts as one call until it reports its parts',
  async (t) => {
    const { sent, listen } = join(2)
    const [history, turnPrefix] = [listen(0), listen(1)]
    history.onProgress({ done: 1, total: 4, phase: 'summarize' })
    turnPrefix.onProgress({ done: 1, total: 3, phase: 'summarize' })
    history.onProgress({ done: 2, total: 4, phase: 'summarize' })
    turnPrefix.onProgress({ done: 2, total: 3, phase: 'merge' })
    turnPrefix.finish()
    t.strictSame(sent, ['summarize 1/5', 'summarize 2/7', 'summarize 3/7', 'merge 4/7', 'summarize 5/7'])
  },
)

t.test('the end of one of two whole tasks is progress; that of the only task is the result', async (t) => {
  const [two, one] = [join(2), join(1)]
  two.listen(1).finish()
  one.listen(0).finish()
  t.strictSame([two.sent, one.sent], [['summarize 1/2'], []])
})

/** Asks a model that never answers, with ten seconds or more until the deadline. */
function hang(onFailure: ModelSummarizer['onFailure'], leftMs: number) {
  const { startTimer, runOut, running } = fakeTimers()
  const [signals, reasons]: [AbortSignal[], string[]] = [[], []]
  const client = new AbortController()
  const summarizer: ModelSummarizer = {
    name: 'openai',
    onFailure,
    onDegraded: (why) => reasons.push(why),
    candidates: ['quick', 'slow'],
    windowTokens: () => 128_000,
    summarize(_task: SummaryTask, { signal }: CallBudget): Promise<ModelDraft> {
      signals.push(signal)
      return untilAborted(new Promise<never>(() => undefined), signal)
    },
  }
  const budget = { signal: client.signal, deadlineAt: Date.now() + leftMs }
  const task = {} as SummaryTask
  const drafts = summarizeSegments({ summarizer, startTimer }, { history: task, turnPrefix: task }, budget)
  return { drafts, runOut, running, reasons, signals, client }
}

t.test('of a model that never answers, the embedded summarizer has the rest of the time', async (t) => {
  for (const [leftMs, modelMs] of [
    [20_000, 15_000],
    [170_000, 160_000],
  ] as const) {
    const { drafts, runOut, running, reasons, signals } = hang('embedded', leftMs)
    const ms = runOut() ?? 0
    t.ok(ms > modelMs - 5000 && ms <= modelMs, `${ms}`)
    t.same(await drafts, { history: 'degraded', turnPrefix: 'degraded' })
    t.match(reasons, [
      /^quick and slow wrote no summary within \d+ ms\. Raise PRECIS_DEADLINE_MS \(or "deadline-ms" in the configuration file\), or choose a faster model\.$/,
      /^quick and slow wrote/,
    ])
    t.same([running.length, signals.map(({ aborted }) => aborted)], [0, [true, true]])
  }
})

t.test('if the client goes away, nobody answers', async (t) => {
  const { drafts, client, reasons, running } = hang('embedded', 20_000)
  client.abort(new Error('gone'))
  await t.rejects(drafts, { message: 'gone' })
  t.same([reasons, running], [[], []])
})

t.test('without the embedded summarizer, models have the whole time', async (t) => {
  const { drafts, client, running } = hang('error', 20_000)
  t.same(running, [])
  client.abort(new Error('late'))
  await t.rejects(drafts, { message: 'late' })
})
