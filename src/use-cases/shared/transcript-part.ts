import type { WorkContext } from '../../jobs/protocol.ts'
import { computeThreshold } from '../../plan/settings.ts'
import { transcriptBudget } from '../../prompt/transcript-budget.ts'
import { mergeTexts } from '../../summary/summary.ts'
import { type PreparedChoice } from './choose-prepared.ts'
import { measureSession, type PreparableSession } from './preparable-session.ts'
import { readPreviousSummary } from './summary-material.ts'

/** The part of the summarized messages that a model reads, and the budget of its transcript. */
export interface TranscriptPart {
  /** Its share of a budget that the operator or the request sets. */
  transcriptTokens?: number
  /** Its share of the largest default budget, where nobody sets one. */
  partTokens?: number
  /** A summary of so many of the first messages: a model reads the others, and updates it. */
  earlier?: { messages: number; summary: string }
}

/** No transcript is written with less. */
const LEAST_TOKENS = 1000

/**
 * Returns what a model reads for a plan. Its budget is the share that this has of the whole span, so that preparations and the
 * compaction after them read about as much as one compaction.
 * @param base the earlier summary, if there is one
 * @param isEarly true for a preparation: the span is that of a compaction at the threshold
 */
export function transcriptPartOf(
  session: PreparableSession,
  { base, isEarly }: { base: PreparedChoice | undefined; isEarly: boolean },
  context: WorkContext,
): TranscriptPart | undefined {
  const { region, tokens, cutAt } = measureSession(session)
  const { settings = {} } = session.request
  const span = tokens(region.start, cutAt)
  const whole = isEarly ? Math.max(span, spanAtThreshold(session)) : span
  const { at = region.start, prepared } = base ?? {}
  if (prepared === undefined && whole === span) return undefined
  const asked = settings.transcriptTokens ?? context.transcriptTokens
  const share = tokens(at, cutAt) / Math.max(1, whole)
  const part = Math.max(LEAST_TOKENS, Math.round((asked ?? transcriptBudget(whole)) * share))
  const budget = asked === undefined ? { partTokens: part } : { transcriptTokens: part }
  if (prepared === undefined) return budget
  const messages = region.branch.slice(region.start, at).filter(({ message }) => message !== undefined).length
  const previous = readPreviousSummary(session.plan.previousSummary ?? '')
  return { ...budget, earlier: { messages, summary: mergeTexts(prepared.drafts, previous) } }
}

/** Returns how many tokens a compaction at the threshold would summarize, by our estimate; 0 if no threshold is known. */
function spanAtThreshold({ plan, request: { settings = {} } }: PreparableSession): number {
  const { tokensOutside, previousSummaryTokens, keep } = plan
  const threshold = computeThreshold(settings) ?? 0
  return (threshold - tokensOutside - previousSummaryTokens) / keep.ratio - keep.budget
}
