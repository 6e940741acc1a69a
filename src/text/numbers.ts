const NUMBERS = new Intl.NumberFormat('en')

/** Returns a number with separators: `41,875`. */
export const count = (value: number): string => NUMBERS.format(value)

/** Returns a number with its noun: `1 entry`, `3 entries`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

export const percent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((100 * part) / whole))

/** Tokens of a context. */
export interface ContextTokens {
  messages: number
  /** What a provider counts beyond our estimate of the messages: system prompt and tools. 0 if unknown. */
  outside: number
}

/**
 * Returns the size of a context in words: the messages, and what is outside of them. They are two figures, because the second is
 * known only after an answer with usage, and no compaction changes it.
 */
export const describeContext = ({ messages, outside }: ContextTokens): string =>
  `${counted(messages, 'token')} in messages${outside > 0 ? ` + about ${count(outside)} outside` : ''}`

/** Returns the two figures of a plan's context. What is outside is that of the newest usage, also if a compaction follows it. */
export const contextOf = (plan: {
  contextTokens: number
  tokensOutside: number
  lastTokensOutside?: number
}): ContextTokens => ({
  messages: plan.contextTokens - plan.tokensOutside,
  outside: plan.lastTokensOutside ?? plan.tokensOutside,
})
