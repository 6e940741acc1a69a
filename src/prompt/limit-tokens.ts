import { resolveReserveTokens, type CompactionSettings } from '../plan/settings.ts'

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
