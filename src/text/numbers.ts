const NUMBERS = new Intl.NumberFormat('en')

/** Returns a number with separators: `41,875`. */
export const count = (value: number): string => NUMBERS.format(value)

/** Returns a number with its noun: `1 entry`, `3 entries`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

/** Returns how many messages, summaries and calls something was found in, with their noun. */
export const countedUnits = (value: number): string => counted(value, 'message or call', 'messages and calls')

export const percent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((100 * part) / whole))

interface ContextTokens {
  messages: number
  /** The tokens that a provider counts beyond our estimate of the messages (`OUTSIDE`). 0 if unknown. */
  outside: number
}

/** The name of the tokens that a provider counts beyond our estimate of the messages. */
export const OUTSIDE = 'system prompt, tools, and its own way of counting'

/**
 * Returns the size of a context in words: the messages, and what the provider counts beyond them. They are two figures, because
 * the second is known only after an answer with usage.
 */
export const describeContext = ({ messages, outside }: ContextTokens): string =>
  `${counted(messages, 'token')} in messages${describeOutside(outside)}`

/** Returns how many tokens a provider counts beyond our estimate of the messages, in words; empty if that is unknown. */
const describeOutside = (tokens: number): string =>
  tokens > 0 ? ` + about ${count(tokens)} more by the provider's count` : ''

/** How many of the newest tokens stay. Those that were asked for are in tokens of the provider. */
interface KeptTokens {
  /** By our estimate. */
  kept: number
  asked: number
  /** The tokens that the provider counts for each token of our estimate. */
  ratio: number
  why: string
}

/** Returns how many tokens stay, by our estimate and as the provider counts, how many were asked for, and why. */
export function describeKept({ kept, asked, ratio, why }: KeptTokens): string {
  const counts = ratio === 1 ? '' : ` by our estimate, about ${count(Math.round(kept * ratio))} as the provider counts`
  const wanted = asked === 0 ? 'as few as possible' : count(asked)
  return `${counted(kept, 'token')}${counts}; ${wanted} ${asked === 1 ? 'was' : 'were'} asked for. ${why}`
}

/** Returns the two figures of a plan's context. What is outside is that of the newest usage, also if a compaction follows it. */
export const contextOf = (plan: {
  contextTokens: number
  tokensOutside: number
  lastTokensOutside?: number
}): ContextTokens => ({
  messages: plan.contextTokens - plan.tokensOutside,
  outside: plan.lastTokensOutside ?? plan.tokensOutside,
})
