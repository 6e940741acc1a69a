import { count } from '../text/numbers.ts'
import {
  estimateContextUpTo,
  findFirstPromptUsage,
  findNewestUsage,
  usagePromptTokens,
  type TokensBetween,
} from './context-size.ts'
import type { Region } from './region.ts'

/** How many of the newest tokens the settings ask to keep, and what that is in tokens of our estimate. */
interface ScaledKeep {
  /** `keepRecentTokens` of the settings. */
  asked: number
  /** The same in tokens of our estimate: the kept region may have so many (planning rule 6). */
  budget: number
  /** The tokens that the provider counts for each token of our estimate; 1 if that is unknown. */
  ratio: number
}

/** How many of the newest tokens stay, and why. */
export interface Keep extends ScaledKeep {
  kept: number
  /** Sentences for the user. */
  why: string
}

/**
 * The largest ratio that is believed. Our estimate has one token for about four bytes of text, so a provider that counts four
 * tokens for it would count each byte; more than that is not the count of these messages.
 */
const MAX_RATIO = 4

/**
 * Returns the budget of the kept region, scaled down where the provider counts more tokens than our estimate for the same
 * messages, so that the kept region fits by the provider's count too (planning rule 6).
 * @param asked the budget in the settings
 */
export function scaleKeepRecent(region: Region, tokens: TokensBetween, asked: number): ScaledKeep {
  const ratio = measureRatio(region, tokens)
  return { asked, budget: ratio === 1 ? asked : Math.max(1, Math.floor(asked / ratio)), ratio }
}

/**
 * Returns how many tokens the provider counts for each token of our estimate. The first answer shows what is outside the
 * messages (system prompt, tools), and the newest one what the messages have grown by.
 * @returns 1 to 4; 1 without usage, or with the usage of only one answer, which does not show how the two differ
 */
function measureRatio(region: Region, tokens: TokensBetween): number {
  const [first, newest] = [findFirstPromptUsage(region), findNewestUsage(region)]
  if (first === undefined || newest === undefined) return 1
  const estimateBefore = (index: number): number => estimateContextUpTo(index, region, tokens)
  const outside = Math.max(0, usagePromptTokens(first.usage) - estimateBefore(first.index) - first.prunedTokens)
  const estimated = estimateBefore(newest.index) + newest.prunedTokens
  const measured = usagePromptTokens(newest.usage) - outside
  return measured > estimated ? Math.min(MAX_RATIO, measured / estimated) : 1
}

/** The sizes that a cut leaves, in tokens of our estimate. */
interface Outcome {
  /** All messages that the plan considers. */
  all: number
  kept: number
  hasCut: boolean
}

/** Returns how many tokens stay of those that were asked for, and why it is not the same number. */
export function describeKeep(scaled: ScaledKeep, { all, kept, hasCut }: Outcome): Keep {
  const why =
    all <= scaled.budget && !hasCut ? 'All messages fit.' : explainScale(scaled) + explainCut(scaled, { all, kept })
  return { ...scaled, ratio: Math.round(scaled.ratio * 1000) / 1000, kept, why }
}

const explainScale = ({ asked, budget, ratio }: ScaledKeep): string =>
  budget === asked
    ? ''
    : `The provider counts ${ratio === MAX_RATIO ? 'at least ' : ''}${ratio.toFixed(2)} tokens for each token of our ` +
      `estimate, so ${count(asked)} of its tokens are ${count(budget)} of ours. `

function explainCut({ budget }: ScaledKeep, { all, kept }: Pick<Outcome, 'all' | 'kept'>): string {
  if (kept > budget) return 'The newest message stays whatever its size, and a call stays with its results.'
  if (all <= budget) return 'The messages before them are results without their calls, which cannot be kept alone.'
  return kept === budget ? 'They fit exactly.' : 'The message before them, with what belongs to it, does not fit.'
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
