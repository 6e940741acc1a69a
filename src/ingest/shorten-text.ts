import { findLineStart } from '../prompt/find-line-start.ts'
import { withoutMiddle } from '../prompt/truncate-middle.ts'

/** Of thinking and written files at most 500 characters are shown at either end. */
const END_CHARACTERS = 2000

/** Less is not worth a note. */
const LEAST_CHARACTERS = 200

/**
 * Leaves of a long text both its ends, and a note of what is missing. Secrets are still to be looked for: it is cut between
 * lines, where none goes on, and one that has no such place, or a private key, stays whole.
 */
export function shortenText(text: string): string {
  if (text.length <= 2 * END_CHARACTERS + LEAST_CHARACTERS || text.includes('PRIVATE KEY')) return text
  const headEnd = text.lastIndexOf('\n', END_CHARACTERS)
  const tailStart = findLineStart(text, text.length - END_CHARACTERS)
  if (headEnd < END_CHARACTERS / 2 || tailStart === undefined || text.length - tailStart < END_CHARACTERS / 2)
    return text
  return withoutMiddle(text, headEnd, tailStart)
}
