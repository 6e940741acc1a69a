import { count } from '../text/numbers.ts'
import { measureProvider, type TokensBetween } from './context-size.ts'
import type { Region } from './region.ts'
import { computeThreshold, DEFAULT_SETTINGS, defaultKeepTokens, type CompactionSettings } from './settings.ts'

/** How many of the newest tokens are to be kept, and what that is in tokens of our estimate. */
interface KeepBudget {
  /** `keepRecentTokens` of the settings, or its default. */
  asked: number
  /** The same in tokens of our estimate: the kept region may have so many (planning rule 6). */
  budget: number
  /** The tokens that the provider counts for each token of our estimate; 1 if that is unknown. */
  ratio: number
}

/** The same, with what decides whether so many leave the context below the threshold. */
interface ScaledKeep extends KeepBudget {
  /** The tokens that the provider has counted outside the messages: system prompt and tools. 0 if that is unknown. */
  outsideTokens: number
  thresholdTokens: number | null
  /** Whether the threshold has made the default smaller. */
  isSmallDefault: boolean
}

/** How many of the newest tokens stay, and why. */
export interface Keep extends KeepBudget {
  kept: number
  /** Sentences for the user. */
  why: string
}

/**
 * Returns the budget of the kept region, scaled down where the provider counts more tokens than our estimate for the same
 * messages, so that the kept region fits by the provider's count too (planning rule 6).
 */
export function scaleKeepRecent(region: Region, tokens: TokensBetween, settings: CompactionSettings): ScaledKeep {
  const thresholdTokens = computeThreshold(settings)
  const { keepRecentTokens: asked = defaultKeepTokens(thresholdTokens) } = settings
  const isSmallDefault = settings.keepRecentTokens === undefined && asked < DEFAULT_SETTINGS.keepRecentTokens
  const { ratio, outsideTokens } = measureProvider(region, tokens)
  const budget = ratio === 1 ? asked : Math.max(1, Math.floor(asked / ratio))
  return { asked, budget, ratio, outsideTokens, thresholdTokens, isSmallDefault }
}

/** The sizes that a cut leaves, in tokens of our estimate. */
interface Outcome {
  /** All messages that the plan considers. */
  all: number
  kept: number
  /** The previous summary; a new one has about its size. 0 without one. */
  summary: number
  hasCut: boolean
  /** What would stay with the message before the cut, and what belongs to it; undefined where nothing would be left to compact. */
  nextKept?: number | undefined
}

/** Returns how many tokens stay of those that were asked for, why it is not the same number, and what follows from it. */
export function describeKeep(scaled: ScaledKeep, outcome: Outcome): Keep {
  const { asked, budget, ratio } = scaled
  const { all, kept, hasCut } = outcome
  const reason = all <= budget && !hasCut ? 'All messages fit.' : explainCut(scaled, outcome)
  const why = explainDefault(scaled) + reason + warnOfThreshold(scaled, outcome)
  return { asked, budget, ratio: Math.round(ratio * 1000) / 1000, kept, why }
}

const explainDefault = ({ isSmallDefault, thresholdTokens }: ScaledKeep): string =>
  isSmallDefault ? `The default is half of the threshold of ${count(thresholdTokens ?? 0)} tokens. ` : ''

/** Warns of a compaction that leaves the context above the threshold, so that each turn would have another one. */
function warnOfThreshold({ ratio, outsideTokens, thresholdTokens }: ScaledKeep, { kept, summary }: Outcome): string {
  const left = Math.round(kept * ratio) + outsideTokens + summary
  if (thresholdTokens === null || left <= thresholdTokens) return ''
  const parts = [
    ...(outsideTokens > 0 ? [`the ${count(outsideTokens)} outside the messages`] : []),
    ...(summary > 0 ? [`the ${count(summary)} of the summary`] : []),
  ]
  const they = parts.length === 0 ? 'They' : `With ${parts.join(' and ')}, they`
  return (
    ` ${they} are more than the threshold of ${count(thresholdTokens)} tokens, so the agent would compact again in every ` +
    'turn: let fewer tokens stay, or raise the threshold.'
  )
}

function explainCut({ budget, ratio }: KeepBudget, { all, kept, nextKept }: Outcome): string {
  if (kept > budget) return 'The newest message stays whatever its size, and a call stays with its results.'
  if (all <= budget) return 'The messages before them are results without their calls, which cannot be kept alone.'
  if (kept === budget) return 'They fit exactly.'
  const next = nextKept === undefined ? '' : `; ${count(roundUp(inProviderTokens(nextKept, ratio)))} would keep it too`
  return `The message before them, with what belongs to it, does not fit${next}.`
}

/** Returns the least budget that is so large after rule 6. */
const inProviderTokens = (tokens: number, ratio: number): number =>
  ratio === 1 ? tokens : Math.ceil((tokens + 1) * ratio)

/** Returns a number of tokens that a user can remember, not below the given one. */
function roundUp(tokens: number): number {
  const step = tokens < 1000 ? 10 : 100
  return Math.ceil(tokens / step) * step
}

/** Returns a `Keep` with more tokens that stay: only whole parts of a document can be kept. */
export const withExtra = (keep: Keep, extraTokens: number): Keep =>
  extraTokens === 0
    ? keep
    : {
        ...keep,
        kept: keep.kept + extraTokens,
        why: `${keep.why} Only whole messages of the document can stay: ${count(extraTokens)} tokens before the cut stay too.`,
      }
