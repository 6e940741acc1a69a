import { DEFAULT_SETTINGS, resolveReserveTokens, type CompactionSettings } from './settings.ts'

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
