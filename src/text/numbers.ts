const NUMBERS = new Intl.NumberFormat('en')

/** Returns a number with separators: `41,875`. */
export const count = (value: number): string => NUMBERS.format(value)

/** Returns a number with its noun: `1 entry`, `3 entries`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

export const percent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((100 * part) / whole))

/** Tokens of a context. */
export interface ContextTokens {
  /** All tokens of the context. */
  tokens: number
  /** Those of them that a provider counts beyond our estimate of the messages: system prompt and tools. 0 if unknown. */
  outside: number
}

/**
 * Returns the size of a context in words: the messages, and what is outside of them. They are two figures, because the second is
 * known only after an answer with usage, and no compaction changes it.
 */
export const describeContext = ({ tokens, outside }: ContextTokens): string =>
  `${counted(tokens - outside, 'token')} in messages${outside > 0 ? ` + about ${count(outside)} outside` : ''}`
