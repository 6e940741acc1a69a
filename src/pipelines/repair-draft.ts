import type { CallBudget, Draft, Summarizer } from '../model/summarizer.ts'
import { buildRepair } from '../prompt/build-prompts.ts'
import { withPrompt, type SummaryTask } from '../prompt/task.ts'
import type { Templates } from '../prompt/templates.ts'
import { startTimer as startRealTimer, type StartTimer } from '../runtime/abort.ts'
import type { Expectations } from '../summary/checks/expectations.ts'
import { describeFaults } from '../summary/checks/inspect-summary.ts'
import type { CheckedDraft } from '../summary/draft.ts'

interface RepairTools {
  task: SummaryTask
  expected: Expectations
  /** Reads the second draft in the same way as the first one. */
  read: (draft: Draft, expected: Expectations) => CheckedDraft
  summarizer: Summarizer
  templates: Templates
  startTimer?: StartTimer
}

/** The share of the remaining time that a repair must leave for sending the reply. */
const RESERVED_SHARE = 0.1

/**
 * Returns a draft whose faults the model had one chance to fix, in one call that lists all of them. The first draft
 * stays when the second one is no better or does not arrive in time. The call and its tokens are counted in either
 * case.
 * @throws the budget's signal's reason when that aborts
 */
export async function repairDraft(
  first: CheckedDraft,
  { task, expected, read, summarizer, templates, startTimer = startRealTimer }: RepairTools,
  budget: CallBudget,
): Promise<CheckedDraft> {
  const faults = describeFaults(first.findings, templates)
  if (faults.length === 0 || first.prompt === undefined) return first
  const prompt = buildRepair({ prompt: first.prompt, draft: first.text, faults, templates })
  const { chunking: _chunking, ...whole } = task
  const tally = { calls: first.calls, usage: { ...first.usage }, redactions: first.redactions }
  const second = await tryInTime(budget, startTimer, async (within) => {
    const draft = await summarizer.summarize(withPrompt(whole, { prompt }), { ...within, tally })
    return draft.isDegraded === true ? undefined : read(draft, expected)
  })
  const isBetter = second !== undefined && describeFaults(second.findings, templates).length < faults.length
  return { ...(isBetter ? second : first), ...tally, windows: first.windows, repairs: 1 }
}

/** @returns undefined when the call fails, or does not finish within the time that it may use */
async function tryInTime<T>(
  budget: CallBudget,
  startTimer: StartTimer,
  run: (within: CallBudget) => Promise<T>,
): Promise<T | undefined> {
  const leftMs = (budget.deadlineAt - Date.now()) * (1 - RESERVED_SHARE)
  const tooLate = new AbortController()
  const stop = startTimer(() => {
    tooLate.abort()
  }, leftMs)
  const signal = AbortSignal.any([budget.signal, tooLate.signal])
  try {
    return await run({ ...budget, signal, deadlineAt: Date.now() + leftMs })
  } catch {
    // The first draft stays, whatever failed, unless the client is gone. The time limit above keeps the deadline from passing here.
    budget.signal.throwIfAborted()
    return undefined
  } finally {
    stop()
  }
}
