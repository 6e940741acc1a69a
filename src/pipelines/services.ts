import { Problem } from '../errors.ts'
import type { CallBudget, Summarizer } from '../model/summarizer.ts'
import type { Templates } from '../prompt/templates.ts'

/** What every pipeline works with. */
export interface CompactionServices {
  summarizer: Summarizer
  templates: Templates
  /** The cap: ceiling of any one summary, in tokens. */
  maxSummaryTokens: number
  /** Whether secrets are replaced. */
  redact: boolean
}

/** A request's budget, and when it began (milliseconds since the epoch). */
export interface PipelineBudget extends CallBudget {
  startedAt: number
  /** Told what will be sent, once it is known. */
  onPlan?: (plan: SentPlan) => void
}

/** What a request is about to send to the summarizer. */
export interface SentPlan {
  windows: number
  promptTokens: number
  /** Entries and messages form. */
  firstKeptEntryId?: string
  isSplitTurn?: boolean
  tokensBefore?: number
}

export const nothingToCompact = (): Problem =>
  new Problem(
    'nothing-to-compact',
    'Nothing with a message stands between what the previous compaction covers and the cut: keep the session as it is.',
  )
