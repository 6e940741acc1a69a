import { retellTask, type CallBudget, type Draft, type Summarizer, type SummaryTask } from './model/summarizer.ts'
import { buildRepair } from './prompt/build-repair.ts'
import { createPace } from './pace.ts'
import type { Templates } from './prompt/load-templates.ts'
import { runInTurns, type Steps } from './steps.ts'
import type { CheckedDraft } from './summary/check-draft.ts'
import { describeFaults } from './summary/checks/describe-faults.ts'
import type { Expectations } from './summary/checks/expectations.ts'

interface RepairTools {
  task: SummaryTask
  expected: Expectations
  /** Reads the second draft as the first one was. */
  read: (draft: Draft, expected: Expectations) => Steps<CheckedDraft>
  summarizer: Summarizer
  templates: Templates
}

/**
 * Has a draft with faults written again: one call, which is told all of them. A second draft that is no better, or that
 * does not come in time, leaves the first one as it is. The call and its tokens count, whatever came of it.
 * @throws the budget's signal's reason when that aborts
 */
export async function repairDraft(
  first: CheckedDraft,
  { task, expected, read, summarizer, templates }: RepairTools,
  budget: CallBudget,
): Promise<CheckedDraft> {
  const faults = describeFaults(first.findings, templates)
  if (faults.length === 0 || first.prompt === undefined) return first
  const prompt = buildRepair({ prompt: first.prompt, draft: first.text, faults, templates })
  const { division: _division, ...whole } = task
  const tally = { calls: first.calls, usage: { ...first.usage }, redactions: first.redactions }
  const second = await tryInTime(budget, async (within) => {
    const draft = await summarizer.summarize(retellTask(whole, { prompt }), { ...within, tally })
    return draft.isDegraded === true ? undefined : runInTurns(read(draft, expected), createPace(within.signal))
  })
  const isBetter = second !== undefined && describeFaults(second.findings, templates).length < faults.length
  return { ...(isBetter ? second : first), ...tally, windows: first.windows, repairs: 1 }
}

/** How much of the time left a repair may not use: the draft that is there must still be sent. */
const KEPT_SHARE = 0.1

/** @returns undefined where nothing comes before the time that must be left for the reply, or it fails */
async function tryInTime<T>(budget: CallBudget, run: (within: CallBudget) => Promise<T>): Promise<T | undefined> {
  const leftMs = (budget.deadlineAt - Date.now()) * (1 - KEPT_SHARE)
  const tooLate = new AbortController()
  const timer = setTimeout(() => {
    tooLate.abort()
  }, leftMs)
  const signal = AbortSignal.any([budget.signal, tooLate.signal])
  try {
    return await run({ ...budget, signal, deadlineAt: Date.now() + leftMs })
  } catch {
    // Whatever failed, the first draft stands; but nobody waits for it after a hang-up or the deadline.
    budget.signal.throwIfAborted()
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
