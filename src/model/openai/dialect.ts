import type { APIError } from 'openai'
import { wordsOf } from './read-failure.ts'

/** Which parameters a candidate takes, as far as its server has told. */
export interface Dialect {
  /** `max_completion_tokens` is what OpenAI's newer models demand; older servers know `max_tokens` alone. */
  limitName: 'max_completion_tokens' | 'max_tokens'
  sendsReasoningEffort: boolean
}

/** What every candidate is asked with at first. */
export const FIRST_DIALECT: Dialect = { limitName: 'max_completion_tokens', sendsReasoningEffort: true }

/**
 * Learns from a server's 400 or 422 which parameter it refuses: it names the parameter, whatever the wording.
 * @returns the dialect to go on with, or undefined where the refusal is not about one of ours
 */
export function learnDialect(dialect: Dialect, error: APIError): Dialect | undefined {
  if (error.status !== 400 && error.status !== 422) return undefined
  const words = `${error.param ?? ''}\n${wordsOf(error)}`
  if (dialect.sendsReasoningEffort && /reasoning[_. ]?effort/i.test(words))
    return { ...dialect, sendsReasoningEffort: false }
  if (dialect.limitName === 'max_completion_tokens' && words.includes('max_completion_tokens'))
    return { ...dialect, limitName: 'max_tokens' }
  return undefined
}
