import t from 'tap'
import { JobRunner } from '../../src/jobs/job-runner.ts'
import { runRequest } from '../../src/jobs/run-request.ts'
import { emptyTally, type CallBudget, type ModelDraft, type ModelSummarizer } from '../../src/model/summarizer.ts'
import type { SummaryTask } from '../../src/prompt/task.ts'
import type { StartTimer } from '../../src/runtime/abort.ts'
import { compaction } from '../../src/use-cases/compaction/route.ts'
import type { CompactionReply } from '../../src/schemas/compaction-reply.ts'
import { fakeTimers } from '../support/fake-timers.ts'
import { receivedHead } from '../support/received-head.ts'
import { readTask, type ReadTask } from '../support/fake-summarizer.ts'
import { rejectOnAbort, until } from '../support/until.ts'
import { WORK_CONTEXT } from '../support/work-context.ts'

const PROMPT =
  '<conversation>\nA and B.\n</conversation>\n\nUse this form:\n\n## Goal\nThe goal.\n\n## Progress\nB.\n\n## Next\nC.'
const GOOD = '## Goal\nA\n\n## Progress\nB\n\n## Next\nC'

/** Answers the first call with a draft, and the repair call as the test says; calls are counted as the real ones are. */
function modelOf(first: string, repair: (budget: CallBudget) => Promise<string>, extras: Partial<ModelDraft> = {}) {
  const tasks: ReadTask[] = []
  const summarizer: ModelSummarizer = {
    name: 'openai',
    onFailure: 'error',
    windowTokens: () => 128_000,
    async summarize(task: SummaryTask, budget): Promise<ModelDraft> {
      tasks.push(readTask(task))
      const { tally = emptyTally() } = budget
      tally.calls += 1
      const text = tasks.length === 1 ? first : await repair(budget)
      const { prompt, promptTokens } = task
      return { text, model: 'm', chunks: 3, ...tally, lastPrompt: { prompt, promptTokens }, ...extras }
    },
  }
  return { summarizer, tasks }
}

interface RunOptions {
  startTimer?: StartTimer
  signal?: AbortSignal
}

async function run(
  summarizer: ModelSummarizer,
  { startTimer, signal = new AbortController().signal }: RunOptions = {},
) {
  const context = { ...WORK_CONTEXT, maxSummaryTokens: 1000, windowLimitTokens: 128_000 }
  const chunks = [Buffer.from(JSON.stringify({ prompt: PROMPT }))]
  const budget = { signal, replySignal: signal, caller: 'a', deadlineAt: Date.now() + 600_000 }
  const { body } = await runRequest(
    { head: receivedHead(compaction), chunks, context, load: compaction.load },
    { jobs: new JobRunner(), summarizer, startTimer },
    budget,
  )
  const { summary, report } = JSON.parse(body.toString()) as CompactionReply
  return { summary, calls: report.calls, windows: report.windows, repaired: report.checks?.repaired }
}

const never = (): Promise<string> => Promise.reject(new Error('called'))

t.test('a draft without faults needs no call', async (t) => {
  t.same(await run(modelOf(GOOD, never).summarizer), { summary: GOOD, calls: 1, windows: 3, repaired: 0 })
})

t.test(
  'one call has the draft and all faults; the better text replaces the draft, and calls are added up',
  async (t) => {
    const { summarizer, tasks } = modelOf('Nothing of it.', async () => GOOD)
    t.same(await run(summarizer), { summary: GOOD, calls: 2, windows: 3, repaired: 1 })
    t.equal(tasks.length, 2)
    t.ok(tasks[1]?.prompt.startsWith(`${PROMPT}\n\n`))
    t.match(tasks[1]?.prompt, /## Goal[^]*## Progress[^]*<first-draft>\nNothing of it\.\n<\/first-draft>$/)
    t.equal(tasks[1]?.turns, undefined)
  },
)

const FIRST = { summary: 'Nothing of it.', calls: 2, windows: 3, repaired: 1 }

t.test('the first draft stays when the second one is no better, and the call counts', async (t) => {
  t.same(await run(modelOf('Nothing of it.', async () => 'Still nothing.').summarizer), FIRST)
})

t.test('the first draft stays when the second one has all sections and has lost the facts', async (t) => {
  const first = `It took 120 ms in \`src/a.ts\`. ${'The work goes on. '.repeat(20)}`.trim()
  t.same(await run(modelOf(first, async () => GOOD).summarizer), { ...FIRST, summary: first })
})

t.test('one missing section of a client’s own form needs no call', async (t) => {
  const draft = GOOD.replace('## Next\nC', 'C')
  t.same(await run(modelOf(draft, never).summarizer), { summary: draft, calls: 1, windows: 3, repaired: 0 })
})

t.test('without a prompt to build on, no repair is tried', async (t) => {
  const { summarizer } = modelOf('Nothing of it.', never)
  const summarize: ModelSummarizer['summarize'] = async (task, budget) => {
    const { lastPrompt: _left, ...draft } = await summarizer.summarize(task, budget)
    return draft
  }
  t.same(await run({ ...summarizer, summarize }), { ...FIRST, calls: 1, repaired: 0 })
})

t.test('the first draft stays when the repair fails or does not finish in time', async (t) => {
  t.same(await run(modelOf('Nothing of it.', () => Promise.reject(new Error('broken'))).summarizer), FIRST)
  const stalled = modelOf('Nothing of it.', ({ signal }) => rejectOnAbort(signal))
  const { startTimer, runOut, running } = fakeTimers()
  const repairing = run(stalled.summarizer, { startTimer })
  await until(() => running.length === 1 && stalled.tasks.length === 2)
  const ms = runOut() ?? 0
  t.ok(ms <= 540_000 && ms > 300_000, 'a tenth of the time is left')
  t.same(await repairing, FIRST)
})

t.test('after a disconnect the repair throws the signal’s reason', async (t) => {
  const controller = new AbortController()
  const { summarizer } = modelOf('Nothing of it.', () => {
    controller.abort(new Error('gone'))
    return Promise.reject(new Error('aborted'))
  })
  await t.rejects(run(summarizer, { signal: controller.signal }), { message: 'gone' })
})
