import { firstIndex } from '../text/first-index.ts'
import { splitsPair } from '../text/shorten.ts'

/** What an edit replaces, and by what. */
export interface ChangedTexts {
  old: string
  new: string
}

/** The old and the new text of a piece are at most so long each: a screen. */
const PIECE_CHARACTERS = 1400

/** Cuts a change into pieces where its old and its new text have the same line, so that what belongs together stays so. */
export function cutTogether({ old, new: now }: ChangedTexts): ChangedTexts[] {
  const pieces: ChangedTexts[] = []
  let from: Cut = { old: 0, new: 0 }
  const take = (to: Cut): void => {
    if (to.old > from.old || to.new > from.new)
      pieces.push({ old: old.slice(from.old, to.old), new: now.slice(from.new, to.new) })
    from = to
  }
  let last = from
  for (const next of [...sameLines(old, now), { old: old.length, new: now.length }]) {
    if (Math.max(next.old - from.old, next.new - from.new) > PIECE_CHARACTERS) take(last)
    last = next
  }
  take(last)
  return pieces.flatMap(cutEvenly)
}

/** A place in the old text, and the one in the new text that belongs to it. */
interface Cut {
  old: number
  new: number
}

/**
 * Returns where both texts have the same line, in the order of both: lines that each has once, as in the patience diff of Bram Cohen,
 * and of these the longest sequence that ascends in both.
 */
function sameLines(old: string, now: string): Cut[] {
  const [inOld, inNew] = [placesOfLines(old), placesOfLines(now)]
  const common: Cut[] = []
  for (const [line, place] of inOld) {
    const other = inNew.get(line)
    if (place !== REPEATED && other !== undefined && other !== REPEATED && line.trim() !== '')
      common.push({ old: place, new: other })
  }
  return longestAscending(common)
}

const REPEATED = -1

/** Returns where each line of a text begins, or that it is there more than once. */
function placesOfLines(text: string): Map<string, number> {
  const places = new Map<string, number>()
  let start = 0
  for (const line of text.split('\n')) {
    places.set(line, places.has(line) ? REPEATED : start)
    start += line.length + 1
  }
  return places
}

/** The last place of a sequence. */
interface Step extends Cut {
  previous: Step | undefined
}

/** Returns the longest subsequence whose places in the new text ascend (patience sorting). @param cuts ascending in the old text */
function longestAscending(cuts: readonly Cut[]): Cut[] {
  const ends: Step[] = []
  for (const cut of cuts) {
    const at = firstIndex(ends.length, (one) => (ends[one]?.new ?? Infinity) < cut.new)
    ends[at] = { ...cut, previous: ends[at - 1] }
  }
  const ascending: Cut[] = []
  for (let step = ends.at(-1); step !== undefined; step = step.previous)
    ascending.push({ old: step.old, new: step.new })
  return ascending.reverse()
}

/** Cuts texts without a common line: each into as many pieces of about the same length. */
function cutEvenly(texts: ChangedTexts): ChangedTexts[] {
  const count = Math.max(1, Math.ceil(Math.max(texts.old.length, texts.new.length) / PIECE_CHARACTERS))
  const [old, now] = [texts.old, texts.new].map((text) =>
    Array.from({ length: count + 1 }, (_, at) =>
      at === count ? text.length : placeNear(text, (text.length * at) / count),
    ),
  )
  return Array.from({ length: count }, (_, at) => ({
    old: texts.old.slice(old?.[at], old?.[at + 1]),
    new: texts.new.slice(now?.[at], now?.[at + 1]),
  }))
}

/** A line begins so near to a place, or it is not looked for. */
const NEAR_CHARACTERS = 120

/** Returns the beginning of a line at or before a place, if one is near; never a place inside a surrogate pair. */
function placeNear(text: string, wanted: number): number {
  const at = Math.floor(wanted)
  const near = text.slice(Math.max(0, at - NEAR_CHARACTERS), at).lastIndexOf('\n')
  if (near >= 0) return Math.max(0, at - NEAR_CHARACTERS) + near + 1
  return splitsPair(text, at) ? at - 1 : at
}
