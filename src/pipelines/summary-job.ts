import type { CallBudget, Draft, Summarizer } from '../model/summarizer.ts'
import { windowLimitOf } from '../model/summarizer.ts'
import { HISTORY_SHARE, limitTokens, type CompactionSettings } from '../plan/settings.ts'
import type { HistoryGuidance } from '../prompt/build-prompts.ts'
import { measureTasks } from '../prompt/build-tasks.ts'
import type { Segments, SummaryTask } from '../prompt/task.ts'
import type { Redaction } from '../redact/redaction.ts'
import { createYielder, runCooperatively } from '../runtime/cooperative.ts'
import type { FileLists } from '../session/entry.ts'
import { assembleResult, type AssembledResult } from '../summary/assemble-result.ts'
import { expectationsOfTasks, type CheckedTask } from '../summary/checks/expectations.ts'
import { repairByCode } from '../summary/checks/repair-by-code.ts'
import { checkDraft, type CheckedDraft } from '../summary/draft.ts'
import { extractEvidence } from '../summary/evidence-section.ts'
import type { SummaryInputs } from '../summary/restore-essentials.ts'
import { repairDraft } from './repair-draft.ts'
import type { CompactionServices, PipelineBudget, SentPlan } from './services.ts'

/** What a pipeline has prepared of its request to have a summary written; secrets are replaced. */
export interface SummaryJob {
  /** The texts that the model writes. */
  tasks: Segments<SummaryTask>
  /** What the caller asked for: the drafts are checked against it. */
  guidance: HistoryGuidance
  /** The source of the summary: code adds facts from it that the model left out. */
  inputs: SummaryInputs
  files: FileLists
  redaction: Redaction
  /** The fields of the plan event that describe the cut. */
  cut?: Pick<SentPlan, 'firstKeptEntryId' | 'isSplitTurn' | 'tokensBefore'>
}

/**
 * Runs a job: has its texts written and checked, and assembles the fields that every form's reply has.
 * @throws what the summarizer throws
 */
export async function runSummaryJob(
  job: SummaryJob,
  services: CompactionServices,
  budget: PipelineBudget,
): Promise<AssembledResult> {
  const drafts = await writeDrafts(job, services, budget)
  // Without the request's signal: a paid answer is sent even if the deadline passes meanwhile.
  return runCooperatively(assembleResult({ ...job, drafts, startedAt: budget.startedAt }), createYielder())
}

/** Splits a previous summary (without secrets and file tags) into text and evidence; a blank text becomes undefined. */
export function readPreviousSummary(summary: string): Pick<SummaryInputs, 'previousSummary' | 'evidence'> {
  const { text, evidence } = extractEvidence(summary)
  return { previousSummary: text.trim() === '' ? undefined : text, evidence }
}

/** Returns a caller's guidance with secrets replaced: users paste them into a focus too. */
export function redactGuidance(guidance: HistoryGuidance, { text }: Redaction): HistoryGuidance {
  const { previousSummary, context, promptOverride, customInstructions, style } = guidance
  const redact = (value: string | undefined): string | undefined => (value === undefined ? undefined : text(value))
  return {
    previousSummary: redact(previousSummary),
    context: context?.map(text),
    promptOverride: redact(promptOverride),
    customInstructions: redact(customInstructions),
    style,
  }
}

/** Returns the output limit of a whole summary, in tokens (docs/contract.md, "Output limits"). */
export const summaryLimitTokens = (settings: CompactionSettings, { maxSummaryTokens }: CompactionServices): number =>
  limitTokens(HISTORY_SHARE, settings, maxSummaryTokens)

/**
 * Returns the checked drafts of some tasks. When a draft has faults, the model that wrote it gets one chance to fix all
 * of them; code fixes what is left as far as it can and reports the rest in the findings. A failed check never fails
 * the request.
 * @throws what the first task to fail threw
 */
export async function writeDrafts(
  { tasks, guidance, cut }: Pick<SummaryJob, 'tasks' | 'guidance' | 'cut'>,
  services: CompactionServices,
  budget: PipelineBudget,
): Promise<Segments<CheckedDraft>> {
  await emitPlan(Object.values(tasks), { ...services, budget }, cut)
  const checkedTasks = await runCooperatively(expectationsOfTasks(tasks, guidance), createYielder(budget.signal))
  const drafts = await summarizeSegments(services.summarizer, tasks, budget)
  return checkDrafts(drafts, checkedTasks, { services, budget })
}

async function checkDrafts(
  drafts: Segments<Draft>,
  tasks: Segments<CheckedTask>,
  { services, budget }: { services: CompactionServices; budget: CallBudget },
): Promise<Segments<CheckedDraft>> {
  // Without the request's signal: a paid answer is sent even if the deadline passes during the checks.
  const yieldIfDue = createYielder()
  const checked: Segments<CheckedDraft> = {}
  let mayRepair = services.summarizer.name !== 'embedded'
  for (const name of ['history', 'turnPrefix'] as const) {
    const [checkedTask, draft] = [tasks[name], drafts[name]]
    if (checkedTask === undefined || draft === undefined) continue
    const first = await runCooperatively(checkDraft(draft, checkedTask.expected), yieldIfDue)
    const best = mayRepair ? await repairDraft(first, { ...checkedTask, ...services, read: checkDraft }, budget) : first
    mayRepair &&= best.repairs === 0
    checked[name] = { ...best, ...(await runCooperatively(repairByCode(best, checkedTask.expected), yieldIfDue)) }
  }
  return checked
}

/**
 * Summarizes the segments in parallel. When one fails for good, the other one is cancelled: its text would not be used.
 * @throws what the first segment to fail threw
 */
async function summarizeSegments(
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
  // allSettled: a cancelled sibling must not become an unhandled rejection, nor outlive this call.
  const [first, second] = await Promise.allSettled([history && summarize(history), turnPrefix && summarize(turnPrefix)])
  if (siblings.signal.aborted) throw siblings.signal.reason
  return {
    ...(first.status === 'fulfilled' && first.value ? { history: first.value } : {}),
    ...(second.status === 'fulfilled' && second.value ? { turnPrefix: second.value } : {}),
  }
}

/**
 * Emits the plan event: the size of what is about to be sent to the model. It is measured only when a client listens
 * for it.
 * @param facts further fields of the event
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
