import { gapNote } from '../prompt/truncate-middle.ts'

/** Of thinking and written files at most 500 characters are shown at either end: a secret there is whole within these. */
const END_CHARACTERS = 2000

/** Leaves of a long text both its ends, and a note of what is missing. A private key is never parted. */
export function shortenText(text: string): string {
  if (text.length <= 3 * END_CHARACTERS || text.includes('PRIVATE KEY')) return text
  const tailStart = text.length - END_CHARACTERS
  return `${text.slice(0, END_CHARACTERS)}\n${gapNote(tailStart - END_CHARACTERS - 1)}\n${text.slice(tailStart)}`
}
