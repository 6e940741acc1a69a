import t from 'tap'
import type { CallBudget, Draft, Summarizer } from '../../src/model/summarizer.ts'
import type { SummaryTask } from '../../src/prompt/task.ts'
import { repairDraft } from '../../src/pipelines/repair-draft.ts'
import { checkText } from '../../src/summary/draft.ts'
import { fakeTimers } from '../support/fake-timers.ts'
import { templates } from '../support/templates.ts'
import { until } from '../support/until.ts'
import type { StartTimer } from '../../src/runtime/abort.ts'

const FORM = { sections: { headings: ['## Goal', '## Progress'], areOptional: false } }
const TASK: SummaryTask = {
  kind: 'prompt',
  prompt: 'Summarize.',
  turns: [{ role: 'user', content: 'Summarize.' }],
  maxTokens: 100,
  source: { form: 'prompt', prompt: 'Summarize.' },
}

const draft = (text: string, extras: Partial<Draft> = {}): Draft => ({
  text,
  model: 'm',
  windows: 3,
  calls: 2,
  redactions: 0,
  usage: { inputTokens: 10, outputTokens: 5 },
  prompt: 'Summarize.',
  ...extras,
})

/** Returns a summarizer that answers the repair call, and counts it as the real ones do. */
function repairer(answer: (task: SummaryTask, budget: CallBudget) => Promise<Draft>) {
  const tasks: SummaryTask[] = []
  const summarizer: Summarizer = {
    name: 'openai',
    windowTokens: () => 1000,
    async summarize(task, budget) {
      tasks.push(task)
      const { tally } = budget
      if (tally !== undefined) tally.calls += 1
      return answer(task, budget)
    },
  }
  return { summarizer, tasks }
}

const budget = (deadlineMs = 10_000, signal = new AbortController().signal): CallBudget => ({
  signal,
  deadlineAt: Date.now() + deadlineMs,
})

const repair = (
  first: Draft,
  { summarizer, startTimer }: { summarizer: Summarizer; startTimer?: StartTimer },
  within = budget(),
) =>
  repairDraft(
    checkText(first, FORM),
    { task: TASK, expected: FORM, read: checkText, summarizer, templates, ...(startTimer && { startTimer }) },
    within,
  )

t.test('a draft without faults needs no call', async (t) => {
  const unused = repairer(async () => t.fail('called') as never)
  t.match(await repair(draft('## Goal\nA\n\n## Progress\nB'), unused), { repairs: 0, calls: 2 })
})

t.test(
  'one call has the draft and all faults; the better text replaces the draft, and calls are added up',
  async (t) => {
    const better = repairer(async () => draft('## Goal\nA\n\n## Progress\nB', { windows: 1 }))
    const repaired = await repair(draft('Nothing of it.'), better)
    t.match(repaired, { text: '## Goal\nA\n\n## Progress\nB', repairs: 1, calls: 3, windows: 3 })
    const [task] = better.tasks
    t.match(
      task?.prompt,
      /^Summarize\.\n\n[^]*## Goal[^]*## Progress[^]*<first-draft>\nNothing of it\.\n<\/first-draft>$/,
    )
    t.equal(task?.turns, undefined)
  },
)

t.test('the first draft stays when the second one is no better, and the call counts', async (t) => {
  const noBetter = repairer(async () => draft('Still nothing.'))
  t.match(await repair(draft('Nothing of it.'), noBetter), { text: 'Nothing of it.', repairs: 1, calls: 3 })
})

t.test('the embedded summarizer’s draft does not count as a repair', async (t) => {
  const degraded = repairer(async () => draft('## Goal\nA\n\n## Progress\nB', { isDegraded: true }))
  t.match(await repair(draft('Nothing of it.'), degraded), { text: 'Nothing of it.', repairs: 1 })
})

t.test('the first draft stays when the repair fails or does not finish in time', async (t) => {
  const failing = repairer(() => Promise.reject(new Error('broken')))
  t.match(await repair(draft('Nothing of it.'), failing), { text: 'Nothing of it.', repairs: 1 })
  const never = repairer(
    (_task, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(signal.reason as Error)
        })
      }),
  )
  const { startTimer, runOut, running } = fakeTimers()
  const repairing = repair(draft('Nothing of it.'), { ...never, startTimer }, budget(10_000))
  await until(() => running.length === 1 && never.tasks.length === 1)
  const ms = runOut() ?? 0
  t.ok(ms <= 9000 && ms > 5000, 'a tenth of the time is left')
  t.match(await repairing, { text: 'Nothing of it.', repairs: 1 })
})

t.test('after a disconnect the repair throws the signal’s reason', async (t) => {
  const controller = new AbortController()
  const hungUp = repairer(() => {
    controller.abort(new Error('gone'))
    return Promise.reject(new Error('aborted'))
  })
  await t.rejects(repair(draft('Nothing of it.'), hungUp, budget(10_000, controller.signal)), { message: 'gone' })
})
