import { Problem } from '../errors.ts'
import type { CallBudget, Summarizer } from '../model/summarizer.ts'
import type { Templates } from '../prompt/templates.ts'

/** The services that every pipeline uses. */
export interface CompactionServices {
  summarizer: Summarizer
  templates: Templates
  /** The cap: the upper limit of any summary, in tokens. */
  maxSummaryTokens: number
  /** Whether secrets are replaced. */
  redact: boolean
}

/** A request's budget and its listener. */
export interface PipelineBudget extends CallBudget {
  /** Milliseconds since the epoch. */
  startedAt: number
  /** Receives the plan event, before anything is sent to the summarizer. */
  onPlan?: (plan: SentPlan) => void
}

/** The plan event: what a request is about to send to the summarizer. */
export interface SentPlan {
  /** Number of chunks. */
  windows: number
  promptTokens: number
  /** This and the following fields: only for the entries and messages forms. */
  firstKeptEntryId?: string
  isSplitTurn?: boolean
  tokensBefore?: number
}

const NO_NEW_MESSAGES =
  'There are no new messages before the cut point, so there is nothing to compact yet. ' +
  'Lower `settings.keepRecentTokens`, or compact later.'

/** Returns the problem of a request without messages to summarize. */
export const nothingToCompact = (detail = NO_NEW_MESSAGES): Problem => new Problem('nothing-to-compact', detail)
