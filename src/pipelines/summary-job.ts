import { HISTORY_SHARE, limitTokens, type CompactionSettings } from '../plan/settings.ts'
import type { HistoryGuidance } from '../prompt/build-prompts.ts'
import type { Segments, SummaryTask } from '../prompt/task.ts'
import type { Redaction } from '../redact/redaction.ts'
import { createYielder, runCooperatively } from '../runtime/cooperative.ts'
import type { FileLists } from '../session/entry.ts'
import { assembleResult, type AssembledResult } from '../summary/assemble-result.ts'
import { extractEvidence } from '../summary/evidence-section.ts'
import type { SummaryInputs } from '../summary/restore-essentials.ts'
import type { CompactionServices, PipelineBudget, SentPlan } from './services.ts'
import { writeDrafts } from './write-drafts.ts'

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

/** Returns the output limit of a whole summary, in tokens (docs/contract.md, "Output limits"). */
export const summaryLimitTokens = (settings: CompactionSettings, { maxSummaryTokens }: CompactionServices): number =>
  limitTokens(HISTORY_SHARE, settings, maxSummaryTokens)
