import { splitsPair } from '../text/shorten.ts'

/** A part of a text that is shown. */
export interface Excerpt {
  text: string
  /** How many characters of the whole stand before it. */
  start: number
}

export interface TextSpan {
  start: number
  end: number
}

/** Fewer characters between two parts are shown: a note that they are left out is as long. */
const MIN_GAP_CHARACTERS = 40

/** Returns parts of a text in its order, joined where little is between them. @param before how many characters of the whole stand before it */
export function excerptsAt({ text, before }: { text: string; before: number }, ranges: readonly TextSpan[]): Excerpt[] {
  const joined: TextSpan[] = []
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    const from = start < MIN_GAP_CHARACTERS ? 0 : start
    const to = text.length - end < MIN_GAP_CHARACTERS ? text.length : end
    if (last !== undefined && from - last.end < MIN_GAP_CHARACTERS) last.end = Math.max(last.end, to)
    else joined.push({ start: from, end: to })
  }
  return joined.map(({ start, end }) => ({ text: text.slice(start, end), start: before + start }))
}

/** The end of a line, or else of a word, is looked for so far from a place. */
const NEAR_CHARACTERS = 80

/** Returns the start of a line or of a word at or before a place. */
export function startNear(text: string, at: number): number {
  if (at <= NEAR_CHARACTERS / 2) return 0
  const from = Math.max(0, at - NEAR_CHARACTERS)
  const near = text.slice(from, at)
  const end = near.includes('\n') ? near.lastIndexOf('\n') : near.lastIndexOf(' ')
  if (end >= 0) return from + end + 1
  return splitsPair(text, at) ? at - 1 : at
}

/** Returns the end of a line or of a word at or after a place. */
export function endNear(text: string, at: number): number {
  if (at >= text.length) return text.length
  const near = text.slice(at, at + NEAR_CHARACTERS)
  const line = near.indexOf('\n')
  const space = line >= 0 ? line : near.indexOf(' ')
  if (space < 0) return splitsPair(text, at) ? at + 1 : at
  return at + space
}
