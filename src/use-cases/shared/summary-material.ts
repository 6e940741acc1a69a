import type { HookOutcome, PromptAdditions, WorkContext } from '../../jobs/protocol.ts'
import type { HistoryGuidance } from '../../prompt/build-prompts.ts'
import type { Segments } from '../../prompt/task.ts'
import { resumeRedaction, type Redaction } from '../../redact/redaction.ts'
import type { FileLists } from '../../session/entry.ts'
import { assembleResult, type AssembledResult } from '../../summary/assemble-result.ts'
import { takeFacts, type CheckedDraft } from '../../summary/draft.ts'
import { findLatestRequest, isWordForWord, readEarlierRequest } from '../../summary/requests.ts'
import { findStatedEvidence, mergeEvidence } from '../../summary/evidence.ts'
import type { RecallNote } from '../../summary/looking-up.ts'
import { reportOn, type ReportNotes } from '../../summary/report.ts'
import type { SummaryInputs } from '../../summary/summary-inputs.ts'
import { deriveShortSummary } from '../../summary/short-summary.ts'
import { EMPTY_SUMMARY, readSummary } from '../../summary/summary.ts'
import type { FinishContext, Material } from './pipeline.ts'

/** The material of a summary in our own form. */
export interface SummaryMaterial extends Material {
  /** The messages that the summary is about: code adds facts from them that the model left out. */
  inputs: SummaryInputs
  files: FileLists
  /** The note on how to look up what the summary replaces; absent if it has none. */
  recallNote?: RecallNote
}

/** Returns the reply fields that all summaries in our own form share. */
export function finishSummary(
  material: SummaryMaterial,
  drafts: Segments<CheckedDraft>,
  context: FinishContext,
): AssembledResult {
  if (material.given !== undefined) return finishGiven(material, drafts, context)
  const { inputs, files, recallNote, redaction: found, ignored, format } = material
  const { redact, startedAt, notes } = context
  const redaction = resumeRedaction(redact, found)
  return assembleResult({ inputs, files, recallNote, drafts, redaction, startedAt, notes, ignored, format })
}

/** Returns the reply fields of a summary that the request or a hook brought: its text is checked, and stays as it is. */
function finishGiven(
  { given = '', inputs, files, redaction, ignored, format }: SummaryMaterial,
  drafts: Segments<CheckedDraft>,
  { startedAt, notes }: FinishContext,
): AssembledResult {
  const newest = findLatestRequest([...inputs.history, ...inputs.turnPrefix], inputs.earlierRequest)
  const latestRequest = isWordForWord(given, newest ?? '') ? 'kept' : 'missing'
  const essentials = newest === undefined ? {} : ({ latestRequest } as const)
  const report = reportOn(Object.values(drafts), {
    startedAt,
    redactions: redaction.count,
    essentials,
    notes,
    ignored,
    format,
  })
  return { summary: given, shortSummary: deriveShortSummary(readSummary(given)), details: files, report }
}

/** Returns a material with a summary that replaces the texts of all segments. */
export function givenAs<M extends Material>(material: M, given: string): M {
  const { history, turnPrefix } = material.assignments
  const assignments = history === undefined ? { ...(turnPrefix && { turnPrefix }) } : { history }
  return { ...material, assignments, given }
}

/**
 * Splits a previous summary into its text (undefined if it is blank), the newest request and the messages of the user that it
 * quotes, and its evidence: that of its `## Evidence` section, and what its text states.
 * @param text without secrets and file tags
 */
export function readPreviousSummary(
  text: string,
): Pick<SummaryInputs, 'previousSummary' | 'earlierRequest' | 'evidence' | 'userMessages'> {
  const { summary: previous, evidence, userMessages } = takeFacts(text === '' ? EMPTY_SUMMARY : readSummary(text))
  const stated = findStatedEvidence(previous.text)
  return {
    userMessages,
    earlierRequest: readEarlierRequest(previous),
    previousSummary: previous.text.trim() === '' ? undefined : previous,
    // What is done has the newest commits, if it has any.
    evidence: { ...mergeEvidence(stated, evidence), commits: mergeEvidence(evidence, stated).commits },
  }
}

/** Returns the texts of a caller's guidance, and of what hooks add to it. */
export function guidanceTexts(guidance: HistoryGuidance, additions: PromptAdditions = {}): (string | undefined)[] {
  const { previousSummary, customInstructions, context = [], promptOverride } = addTo(guidance, additions)
  return [previousSummary, customInstructions, promptOverride, ...context]
}

const addTo = (guidance: HistoryGuidance, additions: PromptAdditions): HistoryGuidance => ({
  ...guidance,
  context: additions.context === undefined ? guidance.context : [...(guidance.context ?? []), ...additions.context],
  promptOverride: additions.prompt ?? guidance.promptOverride,
})

/**
 * Returns a caller's guidance and what hooks add to it, with secrets replaced: users may paste them into
 * `customInstructions`.
 */
export function redactGuidance(
  guidance: HistoryGuidance,
  { text }: Redaction,
  additions: PromptAdditions = {},
): HistoryGuidance {
  const { previousSummary, customInstructions, context, promptOverride, style } = addTo(guidance, additions)
  const redact = (value: string | undefined): string | undefined => (value === undefined ? undefined : text(value))
  return {
    previousSummary: redact(previousSummary),
    context: context?.map(text),
    promptOverride: redact(promptOverride),
    customInstructions: redact(customInstructions),
    style,
  }
}

/** Returns a material with what hooks have supplied in place of a model's summary, and with the data that they add. */
export function withHooked(
  { hasData }: { hasData?: true },
  original: Material,
  { summary, preserveData }: HookOutcome = { runs: [] },
): Material {
  const material = summary === undefined ? original : { ...givenAs(original, summary), givenBy: 'hook' as const }
  if (preserveData === undefined || hasData !== true) return material
  return { ...material, preserveData: { ...original.preserveData, ...preserveData } }
}

/** Returns what the report says of prompts and hooks. */
export const notesOf = ({ replaced }: WorkContext, { runs }: HookOutcome = { runs: [] }): ReportNotes => ({
  ...(replaced === undefined ? {} : { prompts: replaced.digest }),
  ...(runs.length === 0 ? {} : { hooks: runs.map((run) => ({ ...run })) }),
})
