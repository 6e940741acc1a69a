/** What a candidate's server takes, as far as it has told. */
export interface Dialect {
  /** `max_completion_tokens` is what OpenAI's newer models demand; older servers know `max_tokens` alone. */
  limitName: 'max_completion_tokens' | 'max_tokens'
  /** The effort to ask for; undefined where none is configured, or the server takes none. */
  reasoningEffort: string | undefined
  /** The largest output limit that it takes, in tokens; undefined while it has refused none. */
  largestLimit?: number
}

/** What every candidate is asked with at first. */
export const firstDialect = (reasoningEffort: string | undefined): Dialect => ({
  limitName: 'max_completion_tokens',
  reasoningEffort,
})
