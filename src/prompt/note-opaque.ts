/** A line this long is no line that somebody reads. */
const LONG_LINE_CHARACTERS = 600

/** Base64 in a line of its own, or behind a data URI's head. */
const BASE64 = /^(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])(?=\D*\d)[A-Za-z0-9+/_=-]+$/
const DATA_URI = /(data:[\w/+.-]{1,60};base64,)[A-Za-z0-9+/=_-]{200,}/g

/** What is packed for machines has next to no gaps, and many marks. */
const MAX_GAP_SHARE = 0.06
const MIN_MARK_SHARE = 0.05

/**
 * Puts notes of their size in the place of what no reader can use: Base64, and lines that were minified. Ordinary text
 * comes back as it is.
 */
export function noteOpaque(text: string): string {
  if (text.length < LONG_LINE_CHARACTERS) return text
  const plain = text.replace(DATA_URI, (match, head: string) => `${head}${note('base64', match.length - head.length)}`)
  return hasLongLine(plain) ? plain.split('\n').map(noteLine).join('\n') : plain
}

function hasLongLine(text: string): boolean {
  let start = 0
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    if (end - start >= LONG_LINE_CHARACTERS) return true
    start = end + 1
  }
  return text.length - start >= LONG_LINE_CHARACTERS
}

function noteLine(line: string): string {
  if (line.length < LONG_LINE_CHARACTERS) return line
  if (BASE64.test(line.trim())) return note('base64', line.length)
  const share = (pattern: RegExp): number => (line.match(pattern)?.length ?? 0) / line.length
  const isPacked = share(/\s/g) < MAX_GAP_SHARE && share(/[{}()[\];:,=<>"']/g) > MIN_MARK_SHARE
  return isPacked ? note('minified line', line.length) : line
}

const note = (what: string, characters: number): string => `[${what}, ${characters} characters]`
