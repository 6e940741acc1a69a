import { OVERFLOW_WORDINGS, OVER_A_MINUTE } from './context-overflow-wordings.ts'

/** A limit on the tokens of a minute or a day is not the model's: waiting helps against it, or paying. */
const RATE_LIMIT = /rate.?limit|too many requests|throttl|\bper.?(?:min|day)|\bTPM\b|quota/i

/** Error texts are short; what is longer is a page, and its beginning tells. */
const MAX_CHARACTERS = 4000

/**
 * Tells whether an error's text says that the prompt was too long for the model's context. Agents write such texts into
 * `errorMessage`; the model room hears them in an answer's body.
 */
export function isContextOverflow(text: string): boolean {
  const head = text.slice(0, MAX_CHARACTERS)
  if (RATE_LIMIT.test(head)) return OVER_A_MINUTE.test(head)
  return OVERFLOW_WORDINGS.some(([, , pattern]) => pattern.test(head))
}
