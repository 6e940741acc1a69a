import { splitsPair } from '../text/shorten.ts'
import type { PassageFacts, RecalledPassage } from './passage.ts'

/** A part of a text: whole paragraphs, or whole lines where a paragraph is long. */
interface SplitPart {
  text: string
  /** Where it begins in the text, in UTF-16 units. */
  start: number
}

/** The length of a part: that of a screen. A longer one would hide what it says, a shorter one is torn out. */
export const MAX_PART_CHARACTERS = 1400

/** A part ends at a blank line, a line end or a space, if there is one in its last part. */
const ENDS = ['\n\n', '\n', ' ']
const LEAST_SHARE = 0.5

/** Returns the parts of a text, without the white space around it; none of a blank text. */
export function splitWhole(text: string): SplitPart[] {
  const end = text.trimEnd().length
  const parts: SplitPart[] = []
  let start = text.length - text.trimStart().length
  while (start < end) {
    const next = end - start <= MAX_PART_CHARACTERS ? end : findEnd(text, start)
    parts.push({ text: text.slice(start, next).trimEnd(), start })
    start = next
    // Blank lines belong to no part; the indentation of the next line does.
    while (text[start] === '\n' || text[start] === '\r') start += 1
  }
  return parts
}

function findEnd(text: string, start: number): number {
  const limit = start + MAX_PART_CHARACTERS
  const least = start + MAX_PART_CHARACTERS * LEAST_SHARE
  for (const mark of ENDS) {
    // A search in the whole text would go back to its beginning for each part.
    const at = text.slice(least, limit + mark.length).lastIndexOf(mark)
    if (at > 0) return least + at + (mark === ' ' ? 1 : 0)
  }
  return splitsPair(text, limit) ? limit - 1 : limit
}

/** So far may a word or a phrase that begins in one part go on in the next one. */
export const SEAM_CHARACTERS = 300

/** Returns a text as passages, each of a part of it. @param facts `outputAt` is a place in the whole text */
export const splitPassage = ({ outputAt, ...facts }: PassageFacts, whole: string): RecalledPassage[] =>
  splitWhole(whole).map(({ text, start }) => {
    const at = (outputAt ?? -1) - start
    const output = at >= 0 && at < text.length ? { outputAt: at } : {}
    const end = start + text.length
    const next = end < whole.length ? { next: whole.slice(end, end + SEAM_CHARACTERS) } : {}
    return { ...facts, ...output, text, before: start, after: whole.length - end, ...next }
  })
