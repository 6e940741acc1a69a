import { DEFAULT_SETTINGS, resolveReserveTokens, type CompactionSettings } from './settings.ts'

/** Room left to an answer at the most, however much a model may write. */
const MAX_OUTPUT_TOKENS = 32_000

/**
 * Computes how many tokens the context may have before it should be compacted: over it means `>` (planning rule 11).
 * @returns tokens, an integer within 0 and the window less 1; null where neither a window nor a threshold was given
 */
export function computeThreshold(settings: CompactionSettings): number | null {
  const { contextWindow: window, thresholdTokens = DEFAULT_SETTINGS.thresholdTokens } = settings
  if (window === undefined) return thresholdTokens > 0 ? thresholdTokens : null
  const threshold = thresholdTokens > 0 ? thresholdTokens : computeFromWindow(window, settings)
  return Math.min(Math.max(0, Math.floor(threshold)), window - 1)
}

function computeFromWindow(window: number, settings: CompactionSettings): number {
  const { thresholdPercent = DEFAULT_SETTINGS.thresholdPercent, outputLimit } = settings
  if (thresholdPercent > 0) return percentOf(window, Math.min(Math.max(1, thresholdPercent), 99))
  if (outputLimit !== undefined) return window - Math.min(outputLimit, MAX_OUTPUT_TOKENS)
  const reserve = resolveReserveTokens(settings)
  // A reserve too large for the window becomes 15 % of it; so does the default one where it would leave hardly any room.
  const smallestUsable = settings.reserveTokens === undefined ? percentOf(window, 15) : 0
  const isTooLarge = window - reserve <= smallestUsable
  return isTooLarge ? percentOf(window, 85) : Math.min(percentOf(window, 85), window - reserve)
}

/** Multiplied first: 0.15 of a window is off by a fraction that rounding down would turn into a token. */
const percentOf = (window: number, percent: number): number => (window * percent) / 100
