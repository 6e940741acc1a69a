import type { CallBudget, Draft, Summarizer } from '../model/summarizer.ts'
import { windowLimitOf } from '../model/summarizer.ts'
import { HISTORY_SHARE, limitTokens, type CompactionSettings } from '../plan/settings.ts'
import type { HistoryGuidance } from '../prompt/build-prompts.ts'
import { measureTasks } from '../prompt/build-tasks.ts'
import type { Segments, SummaryTask } from '../prompt/task.ts'
import type { Redaction } from '../redact/redaction.ts'
import type { FileLists } from '../session/entry.ts'
import { assembleResult, type AssembledResult } from '../summary/assemble-result.ts'
import { expectationsOfTasks, type CheckedTask } from '../summary/checks/expectations.ts'
import { repairByCode } from '../summary/checks/repair-by-code.ts'
import { checkDraft, type CheckedDraft } from '../summary/draft.ts'
import { extractEvidence } from '../summary/evidence-section.ts'
import type { SummaryInputs } from '../summary/restore-essentials.ts'
import { repairDraft } from './repair-draft.ts'
import type { CompactionServices, PipelineBudget, SentPlan } from './services.ts'

/** Everything that is needed to write and check one summary. Secrets are replaced. */
export interface SummaryJob {
  /** One task for each text that the model must write. */
  tasks: Segments<SummaryTask>
  /** The caller's instructions, and the previous summary. */
  guidance: HistoryGuidance
  /** The messages that the summary is about: code adds facts from them that the model left out. */
  inputs: SummaryInputs
  files: FileLists
  redaction: Redaction
  /** Further fields of the event `plan`, for clients that listen for events. */
  planEvent?: Pick<SentPlan, 'firstKeptEntryId' | 'isSplitTurn' | 'tokensBefore'>
}

/**
 * Calls the summarizer, checks the drafts, and returns the reply fields that all request forms share.
 * @throws a problem of the model call (see `Summarizer`)
 */
export async function runSummaryJob(
  job: SummaryJob,
  services: CompactionServices,
  budget: PipelineBudget,
): Promise<AssembledResult> {
  const drafts = await writeDrafts(job, services, budget)
  return assembleResult({ ...job, drafts, startedAt: budget.startedAt })
}

/**
 * Splits a previous summary into its text and its `## Evidence` section; a blank text becomes undefined.
 * @param summary without secrets and file tags
 */
export function readPreviousSummary(summary: string): Pick<SummaryInputs, 'previousSummary' | 'evidence'> {
  const { text, evidence } = extractEvidence(summary)
  return { previousSummary: text.trim() === '' ? undefined : text, evidence }
}

/** Returns a caller's guidance with secrets replaced: users may paste them into `customInstructions`. */
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

/** Returns the output limit of the history's summary, in tokens (docs/contract.md, "Output limits"). */
export const summaryLimitTokens = (
  settings: CompactionSettings,
  { maxSummaryTokens }: Pick<CompactionServices, 'maxSummaryTokens'>,
): number => limitTokens(HISTORY_SHARE, settings, maxSummaryTokens)

/**
 * Returns the checked drafts of some tasks. If a draft has faults, one further model call may fix them: at most one per
 * request. Code then shortens what is too long and marks unknown facts; `findings` lists the faults that are left. Faults
 * never fail the request.
 * @throws the error of the first task that failed
 */
export async function writeDrafts(
  { tasks, guidance, planEvent }: Pick<SummaryJob, 'tasks' | 'guidance' | 'planEvent'>,
  services: CompactionServices,
  budget: PipelineBudget,
): Promise<Segments<CheckedDraft>> {
  await emitPlan(Object.values(tasks), { ...services, budget }, planEvent)
  const checkedTasks = expectationsOfTasks(tasks, guidance)
  const drafts = await summarizeSegments(services.summarizer, tasks, budget)
  return checkDrafts(drafts, checkedTasks, { services, budget })
}

async function checkDrafts(
  drafts: Segments<Draft>,
  tasks: Segments<CheckedTask>,
  { services, budget }: { services: CompactionServices; budget: CallBudget },
): Promise<Segments<CheckedDraft>> {
  const checked: Segments<CheckedDraft> = {}
  // The embedded summarizer cannot follow a repair prompt.
  let mayRepair = services.summarizer.name !== 'embedded'
  for (const name of ['history', 'turnPrefix'] as const) {
    const [checkedTask, draft] = [tasks[name], drafts[name]]
    if (checkedTask === undefined || draft === undefined) continue
    const first = checkDraft(draft, checkedTask.expected)
    const best = mayRepair ? await repairDraft(first, { ...checkedTask, ...services, read: checkDraft }, budget) : first
    mayRepair &&= best.repairs === 0
    checked[name] = { ...best, ...repairByCode(best, checkedTask.expected) }
  }
  return checked
}

/**
 * Summarizes the segments in parallel. If one fails for good, the other one is cancelled: it is of no use alone.
 * @throws the error of the first segment that failed
 */
async function summarizeSegments(
  summarizer: Summarizer,
  { history, turnPrefix }: Segments<SummaryTask>,
  budget: CallBudget,
): Promise<Segments<Draft>> {
  const failed = new AbortController()
  const signal = AbortSignal.any([budget.signal, failed.signal])
  const summarize = async (task: SummaryTask): Promise<Draft> => {
    try {
      return await summarizer.summarize(task, { ...budget, signal })
    } catch (error) {
      failed.abort(error)
      throw error
    }
  }
  // allSettled: a cancelled task must not become an unhandled rejection, nor outlive this call.
  const [first, second] = await Promise.allSettled([history && summarize(history), turnPrefix && summarize(turnPrefix)])
  if (failed.signal.aborted) throw failed.signal.reason
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
  const sent = measureTasks(tasks, windowLimitOf(summarizer))
  budget.onPlan({ ...sent, ...facts })
}
