import { Problem } from './errors.ts'
import type { CallBudget, Summarizer } from './model/summarizer.ts'
import type { Templates } from './prompt/load-templates.ts'

/** What every pipeline works with. */
export interface CompactionServices {
  summarizer: Summarizer
  templates: Templates
  /** The cap: ceiling of any one summary, in tokens. */
  maxSummaryTokens: number
}

/** A request's budget, and when it began (milliseconds since the epoch). */
export interface PipelineBudget extends CallBudget {
  startedAt: number
}

export const nothingToCompact = (): Problem =>
  new Problem(
    'nothing-to-compact',
    'Nothing with a message stands between what the previous compaction covers and the cut: keep the session as it is.',
  )
