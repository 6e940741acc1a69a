import type { ReplacedTemplates } from '../../prompt/load-prompts.ts'
import type { Templates } from '../../prompt/templates.ts'
import { startRedaction } from '../../redact/redaction.ts'
import type { FormatId } from '../../schemas/format.ts'
import type { HookName } from '../../schemas/hooks.ts'
import type { Ignored, RequestReport } from '../../schemas/ignored.ts'
import { reportIgnored } from '../../summary/report.ts'

/** What every pipeline needs to know of the service. Plain data, but for the templates: each process loads those itself. */
export interface PipelineServices {
  templates: Templates
  /** Those that the operator has replaced, for worker processes. */
  replaced?: ReplacedTemplates | undefined
  /** The cap: the upper limit of any summary, in tokens. */
  maxSummaryTokens: number
  /** Whether secrets are replaced. */
  redact: boolean
  /** The context window of the summarizer, in tokens. */
  summarizerWindow: number
  /** The window that prompts must fit, in tokens; undefined if there is no model: code writes extracts. */
  windowLimitTokens: number | undefined
  /** The budget of a transcript, in tokens, for requests that set none. */
  transcriptTokens: number
  /** Milliseconds since the epoch. */
  nowMs: number
  /** The hooks that the operator's module exports. */
  hooks?: readonly HookName[] | undefined
  /** What hooks add to the prompts of this request. */
  additions?: PromptAdditions | undefined
}

/** What hooks add to the prompts of a request. */
export interface PromptAdditions {
  /** Lines for the additional context. */
  context?: readonly string[]
  /** Replaces the instructions. */
  prompt?: string
  /** Replaces those of a request for a branch. */
  customInstructions?: string
}

/** The plan event: what a request is about to send to the summarizer. */
export interface SentPlan extends PlanFacts {
  /** Number of chunks. */
  windows: number
  promptTokens: number
}

/** Fields of the plan event that only the entries and messages forms have. */
export interface PlanFacts {
  firstKeptEntryId?: string
  isSplitTurn?: boolean
  tokensBefore?: number
}

/** What a reply says of how its request was read. */
export interface ReadingNotes {
  ignored?: Ignored | undefined
  format?: FormatId | undefined
}

/** Returns the field `report` of a reply without a summary; no field if there is nothing to report. */
export function requestReport({ ignored, format }: ReadingNotes, redact: boolean): { report?: RequestReport } {
  if (ignored === undefined && format === undefined) return {}
  const report = {
    ...(format === undefined ? {} : { format }),
    ...(ignored === undefined ? {} : { ignored: reportIgnored(ignored, startRedaction(redact)) }),
  }
  return { report }
}
