/** An agent's compaction settings (docs/contract.md, "Entries form"); what is left out has a default or no say. */
export interface CompactionSettings {
  /** Newest tokens that stay as they are. */
  keepRecentTokens?: number
  /** Room for the agent's next prompt and answer. Left out is not the same as the default given: see rule 11. */
  reserveTokens?: number
  /** The agent's own context window, in tokens. */
  contextWindow?: number
  /** Percent of the window past which to compact; not positive: unset. */
  thresholdPercent?: number
  /** Tokens past which to compact; not positive: unset. */
  thresholdTokens?: number
  /** The output limit of the agent's model, in tokens. */
  outputLimit?: number
  /** Tokens past which an idle session is compacted. */
  idleThresholdTokens?: number
}

/** The defaults of docs/contract.md; -1 stands for unset. */
export const DEFAULT_SETTINGS = {
  keepRecentTokens: 20_000,
  reserveTokens: 16_384,
  thresholdPercent: -1,
  thresholdTokens: -1,
  idleThresholdTokens: 200_000,
} as const

/** The reserve in tokens, by which the limits of a summary are reckoned too. */
export const resolveReserveTokens = ({ reserveTokens }: CompactionSettings): number =>
  reserveTokens ?? DEFAULT_SETTINGS.reserveTokens

/** Shares of the reserve that a summary may take (docs/contract.md, "Output limits"). */
export const HISTORY_SHARE = 0.8
export const TURN_PREFIX_SHARE = 0.5

/**
 * The output limit of a summary: a share of the reserve, at most the cap. A reserve of a token or two still asks for an
 * answer.
 * @param maxSummaryTokens the cap: ceiling of any one summary
 */
export function limitTokens(share: number, settings: CompactionSettings, maxSummaryTokens: number): number {
  return Math.max(1, Math.min(Math.floor(share * resolveReserveTokens(settings)), maxSummaryTokens))
}
