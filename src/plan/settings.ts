import type { SummaryLimits } from '../settings.ts'

/** An agent's compaction settings (openapi.yaml, `Settings`). A missing one has its default or no effect. */
export interface CompactionSettings {
  /** This many of the newest tokens stay as they are. */
  keepRecentTokens?: number
  /**
   * Tokens for the agent's next prompt and answer. A missing value is not the same as the default value: see rule 11.
   */
  reserveTokens?: number
  /** The agent's own context window, in tokens. */
  contextWindow?: number
  /** The same if it is not set, and the session does not name it. */
  defaultContextWindow?: number
  /** The percentage of the window above which to compact; not positive means unset. */
  thresholdPercent?: number
  /** The tokens above which to compact; not positive means unset. */
  thresholdTokens?: number
  /** The output limit of the agent's model, in tokens. */
  outputLimit?: number
  /** The tokens above which an idle session is compacted. */
  idleThresholdTokens?: number
  /** The share of the threshold above which a summary is to be prepared. */
  prepareAt?: number
  /** The budget of the transcript that one summary is written from, in tokens; default: that of the service. */
  transcriptTokens?: number
  /** One line: how the agent can look up what a summary replaces. */
  recall?: string
}

interface OwnLimits {
  transcriptTokens?: number | undefined
  /** The output limit of the request; `null` for none. */
  maxTokens?: number | null | undefined
}

/** Returns the settings of the service with the limits that a request sets itself: no summary exceeds the upper limit of all. */
export const withOwnLimits = <S extends SummaryLimits>(
  settings: S,
  { transcriptTokens = settings.transcriptTokens, maxTokens }: OwnLimits,
): S => ({
  ...settings,
  transcriptTokens,
  maxSummaryTokens: Math.min(maxTokens ?? Infinity, settings.maxSummaryTokens),
})

/** The defaults of openapi.yaml (`Settings`); -1 means unset. */
export const DEFAULT_SETTINGS = {
  keepRecentTokens: 20_000,
  reserveTokens: 16_384,
  thresholdPercent: -1,
  thresholdTokens: -1,
  idleThresholdTokens: 200_000,
  prepareAt: 0.7,
} as const

/** The share of the threshold that the default of `keepRecentTokens` is at most: the summary and the next turns need room too. */
const DEFAULT_KEEP_SHARE = 0.5

/**
 * Returns how many of the newest tokens stay if a request does not say so (planning rule 5).
 * @param thresholdTokens the tokens above which the context is compacted; null if they are not known
 */
export const defaultKeepTokens = (thresholdTokens: number | null): number =>
  Math.min(DEFAULT_SETTINGS.keepRecentTokens, Math.floor((thresholdTokens ?? Infinity) * DEFAULT_KEEP_SHARE))

/** Returns the reserve in tokens; the limits of summaries are shares of it. */
export const resolveReserveTokens = ({ reserveTokens }: CompactionSettings): number =>
  reserveTokens ?? DEFAULT_SETTINGS.reserveTokens

/** Shares of the reserve that a summary may take (docs/contract.md, "Output limits"). */
export const HISTORY_SHARE = 0.8
export const TURN_PREFIX_SHARE = 0.5

/**
 * Returns the output limit of a summary: a share of the reserve, at least 1 token.
 * @param maxSummaryTokens the limit of any one summary
 */
export function limitTokens(share: number, settings: CompactionSettings, maxSummaryTokens: number): number {
  return Math.max(1, Math.min(Math.floor(share * resolveReserveTokens(settings)), maxSummaryTokens))
}

/**
 * Returns the number of tokens above which the context should be compacted (planning rule 11).
 * @returns tokens, an integer within 0 and the window less 1; null where neither a window nor a threshold was given
 */
export function computeThreshold(settings: CompactionSettings): number | null {
  const { contextWindow: window, thresholdTokens = DEFAULT_SETTINGS.thresholdTokens } = settings
  if (window === undefined) return thresholdTokens > 0 ? thresholdTokens : null
  const threshold = thresholdTokens > 0 ? thresholdTokens : computeFromWindow(window, settings)
  return Math.min(Math.max(0, Math.floor(threshold)), window - 1)
}

/** The most room that is reserved for an answer, even if the model's output limit is higher. */
const MAX_OUTPUT_TOKENS = 32_000

/**
 * Multiplies before it divides: 0.15 times a window may be a little too small, and lose a token when it is rounded
 * down.
 */
const percentOf = (window: number, percent: number): number => (window * percent) / 100

function computeFromWindow(window: number, settings: CompactionSettings): number {
  const { thresholdPercent = DEFAULT_SETTINGS.thresholdPercent, outputLimit } = settings
  if (thresholdPercent > 0) return percentOf(window, Math.min(Math.max(1, thresholdPercent), 99))
  if (outputLimit !== undefined) return window - Math.min(outputLimit, MAX_OUTPUT_TOKENS)
  const reserve = resolveReserveTokens(settings)
  // A reserve that is too large for the window becomes 15 % of it; so does the default one if it leaves less than that.
  const smallestUsable = settings.reserveTokens === undefined ? percentOf(window, 15) : 0
  const isTooLarge = window - reserve <= smallestUsable
  return isTooLarge ? percentOf(window, 85) : Math.min(percentOf(window, 85), window - reserve)
}

/** The minimum of the limit: headings and a quoted request may be longer than a chat of three lines. */
const LEAST_TOKENS = 500

/** So much room a later summary always has: what was done in earlier rounds does not depend on the length of the last one. */
export const LATER_SUMMARY_TOKENS = 2000

export interface ReplacedTokens {
  messages: number
  /** Zero without an earlier summary. */
  previousSummary: number
}

/** Returns how long a summary may be, without what code adds to it: no longer than what it replaces, within the limit of its request. */
export function summaryLimitTokens({ messages, previousSummary }: ReplacedTokens, limitTokens: number): number {
  const least = previousSummary > 0 ? LATER_SUMMARY_TOKENS : LEAST_TOKENS
  return Math.min(limitTokens, Math.max(messages + previousSummary, least))
}
