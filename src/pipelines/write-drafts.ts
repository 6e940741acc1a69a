import { windowLimitOf } from '../model/summarizer.ts'
import { createYielder, runCooperatively, type Cooperative } from '../runtime/cooperative.ts'
import { type Segments, retellTask, type SummaryTask } from '../prompt/task.ts'
import type { CallBudget, Summarizer, Draft } from '../model/summarizer.ts'
import type { Templates } from '../prompt/templates.ts'
import { repairByCode } from '../summary/checks/repair-by-code.ts'
import { checkDraft, type CheckedDraft } from '../summary/draft.ts'
import type { CheckedTask, Expectations } from '../summary/checks/expectations.ts'
import { buildRepair } from '../prompt/build-prompts.ts'
import { describeFaults } from '../summary/checks/inspect-summary.ts'
import type { CompactionServices, PipelineBudget, SentPlan } from './services.ts'
import { measureTasks } from '../prompt/build-tasks.ts'

interface Services {
  summarizer: Summarizer
  templates: Templates
}

/**
 * Summarizes segments and checks what comes. Where a draft has faults, the model that wrote it is asked once to mend all
 * of them; a second draft that is no better, or does not come in time, leaves the first one. What is wrong even then is
 * mended by code as far as it can be, and told in the findings: a check never blocks.
 * @throws what the first span to fail threw
 */
export async function summarizeChecked(
  segments: Segments<CheckedTask>,
  services: Services,
  budget: CallBudget,
): Promise<Segments<CheckedDraft>> {
  const { history, turnPrefix } = segments
  const tasks = { ...(history && { history: history.task }), ...(turnPrefix && { turnPrefix: turnPrefix.task }) }
  const drafts = await summarizeSegments(services.summarizer, tasks, budget)
  // What has been paid for is sent, also where the deadline comes meanwhile.
  const yieldIfDue = createYielder()
  const checked: Segments<CheckedDraft> = {}
  let mayRepair = services.summarizer.name !== 'embedded'
  for (const name of ['history', 'turnPrefix'] as const) {
    const [span, draft] = [segments[name], drafts[name]]
    if (span === undefined || draft === undefined) continue
    const first = await runCooperatively(checkDraft(draft, span.expected), yieldIfDue)
    const best = mayRepair ? await repairDraft(first, { ...span, ...services, read: checkDraft }, budget) : first
    mayRepair &&= best.repairs === 0
    checked[name] = { ...best, ...(await runCooperatively(repairByCode(best, span.expected), yieldIfDue)) }
  }
  return checked
}

interface RepairTools {
  task: SummaryTask
  expected: Expectations
  /** Reads the second draft as the first one was. */
  read: (draft: Draft, expected: Expectations) => Cooperative<CheckedDraft>
  summarizer: Summarizer
  templates: Templates
}

/** How much of the time left a repair may not use: the draft that is there must still be sent. */
const KEPT_SHARE = 0.1

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
  const { chunking: _division, ...whole } = task
  const tally = { calls: first.calls, usage: { ...first.usage }, redactions: first.redactions }
  const second = await tryInTime(budget, async (within) => {
    const draft = await summarizer.summarize(retellTask(whole, { prompt }), { ...within, tally })
    return draft.isDegraded === true ? undefined : runCooperatively(read(draft, expected), createYielder(within.signal))
  })
  const isBetter = second !== undefined && describeFaults(second.findings, templates).length < faults.length
  return { ...(isBetter ? second : first), ...tally, windows: first.windows, repairs: 1 }
}

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

/**
 * Summarizes the segments side by side. When one fails for good its sibling is ended: nobody would read what it wrote.
 * @throws what the first span to fail threw
 */
export async function summarizeSegments(
  summarizer: Summarizer,
  { history, turnPrefix }: Segments<SummaryTask>,
  budget: CallBudget,
): Promise<Segments<Draft>> {
  const siblings = new AbortController()
  const signal = AbortSignal.any([budget.signal, siblings.signal])
  const summarize = async (task: SummaryTask): Promise<Draft> => {
    try {
      return await summarizer.summarize(task, { ...budget, signal })
    } catch (error) {
      siblings.abort(error)
      throw error
    }
  }
  // allSettled: a sibling that is being ended must not become an unhandled rejection, nor outlive this call.
  const [first, second] = await Promise.allSettled([history && summarize(history), turnPrefix && summarize(turnPrefix)])
  if (siblings.signal.aborted) throw siblings.signal.reason
  return {
    ...(first.status === 'fulfilled' && first.value ? { history: first.value } : {}),
    ...(second.status === 'fulfilled' && second.value ? { turnPrefix: second.value } : {}),
  }
}

/**
 * Tells what is about to be sent, where anybody listens: else it is not measured.
 * @param facts what is known of it beside that
 */
export async function emitPlan(
  tasks: readonly SummaryTask[],
  { summarizer, budget }: Pick<CompactionServices, 'summarizer'> & { budget: PipelineBudget },
  facts: Omit<SentPlan, 'windows' | 'promptTokens'> = {},
): Promise<void> {
  if (budget.onPlan === undefined) return
  const sent = await runCooperatively(measureTasks(tasks, windowLimitOf(summarizer)), createYielder(budget.signal))
  budget.onPlan({ ...sent, ...facts })
}
