import { withoutMiddle } from '../prompt/truncate-middle.ts'

/** Of thinking and written files at most 500 characters are shown at either end: a secret there is whole within these. */
const END_CHARACTERS = 2000

/** Less is not worth a note. */
const LEAST_CHARACTERS = 200

/** Leaves of a long text both its ends, and a note of what is missing. A private key is never parted. */
export function shortenText(text: string): string {
  if (text.length <= 2 * END_CHARACTERS + LEAST_CHARACTERS || text.includes('PRIVATE KEY')) return text
  return withoutMiddle(text, END_CHARACTERS, text.length - END_CHARACTERS)
}
