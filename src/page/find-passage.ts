import { findMatches } from '../recall/find-matches.ts'
import { foldCase, parseQuery, withPlainMarks, type Term } from '../recall/query.ts'
import type { RecallPassage } from '../schemas/recall.ts'
import { splitAtGaps } from '../text/name-boundary.ts'
import { findFact, type SearchedFact, type TextRange } from './find-fact.ts'

/** Returns where a text has the words and phrases of a query, in ascending order, without overlaps. */
export function rangesOf(text: string, query: string): TextRange[] {
  const { terms, phrases } = parseQuery(query)
  const plain = withPlainMarks(text)
  const ofPhrases = phrases.flatMap(({ text: phrase }) => findFact(plain, { text: phrase, kind: 'quote' }) ?? [])
  const whole = marksOf(
    text,
    terms.filter(({ weight }) => weight === 1),
  )
  const ranges = [...ofPhrases, ...(whole.length > 0 ? whole : marksOf(text, terms))].sort((a, b) => a.start - b.start)
  const marks: TextRange[] = []
  for (const { start, end } of ranges) {
    const last = marks.at(-1)
    if (last === undefined || start > last.end) marks.push({ start, end })
    else last.end = Math.max(last.end, end)
  }
  return marks
}

function marksOf(text: string, terms: readonly Term[]): TextRange[] {
  const folded = foldCase(text)
  const { terms: found } = findMatches(text, { terms, phrases: [] }) ?? { terms: new Map<number, { at: number[] }>() }
  return [...found].flatMap(([index, { at }]) =>
    at.map((start) => ({ start, end: endOf(folded, start, terms[index]) })),
  )
}

const REST_OF_WORD = /[\p{L}\p{N}\p{M}]*/uy

/** Returns where the word ends that a term has found. */
function endOf(
  folded: string,
  start: number,
  { needles, isPrefix }: Term = { text: '', needles: [], isPrefix: false, weight: 1 },
): number {
  const needle = needles.reduce(
    (best, one) => (one.length > best.length && folded.startsWith(one, start) ? one : best),
    '',
  )
  REST_OF_WORD.lastIndex = start + needle.length
  return isPrefix && REST_OF_WORD.test(folded) ? REST_OF_WORD.lastIndex : start + needle.length
}

/** The part of a passage that is shown in a list of passages. */
const [EXCERPT_CHARACTERS, EXCERPT_LINES, CHARACTERS_BEFORE] = [480, 7, 120]

/** Returns the lines of a text around its first mark. */
export function excerptAround(text: string, [first]: readonly TextRange[]): TextRange {
  const at = first?.start ?? 0
  const near = Math.max(0, at - CHARACTERS_BEFORE)
  const line = text.lastIndexOf('\n', Math.max(0, at - 1)) + 1
  const start = at < CHARACTERS_BEFORE ? 0 : line > near ? line : near
  const rows = text
    .slice(start, start + EXCERPT_CHARACTERS)
    .split('\n')
    .slice(0, EXCERPT_LINES)
  return { start, end: start + rows.join('\n').length }
}

/** Returns the texts by which a passage is found in its entry, the most exact first. */
export function searchedTexts({ text }: RecallPassage, query: string): SearchedFact[] {
  const [mark] = rangesOf(text, query)
  const at = mark?.start ?? 0
  const line = text
    .slice(text.lastIndexOf('\n', Math.max(0, at - 1)) + 1)
    .split('\n', 1)
    .join('')
  const texts = [line.replace(/^\$ /, ''), mark === undefined ? '' : text.slice(mark.start, mark.end)]
  return texts.filter((one) => one.trim() !== '').map((one) => ({ text: one.trim(), kind: 'quote' }))
}

/** How much of a long text is enough to find it, in characters. */
const MAX_PHRASE = 200

/** Returns a query for a text word for word: of a shortened text, or one with quotation marks, for its longest part. */
export function phraseOf(text: string): string {
  const parts = splitAtGaps(text).flatMap((part) => withPlainMarks(part.text).split(/["«»]/))
  const longest = parts.reduce((best, part) => (part.trim().length > best.length ? part.trim() : best), '')
  if (longest.length <= MAX_PHRASE) return `"${longest}"`
  const start = longest.slice(0, MAX_PHRASE)
  return `"${/\s/.test(start) ? start.slice(0, start.search(/\s\S*$/)) : start}"`
}
