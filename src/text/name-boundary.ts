import { oneLine } from './shorten.ts'

/** Kinds of facts (`schemas/provenance.ts`) whose texts are names: `a.ts` is not found in `data.ts`. */
const NAME_KINDS: ReadonlySet<string> = new Set(['path', 'commit', 'port', 'version'])

const NAME_CHARACTER = '[\\p{L}\\p{N}_~-]'

/** An `@` belongs to a name only after a name: `@src/a.ts` is a mention of a file. */
const NAME_STARTS = `(?<!${NAME_CHARACTER}@?)`

/** `left-pad@1.2.3` has a version. */
const VERSION_STARTS = `(?<!${NAME_CHARACTER})`

const NAME_ENDS = '(?![\\p{L}\\p{N}_@~-])'

/** The signs for the rest of a shortened text (also `gapNote`), and for parts of it that vary. */
const GAPS = /\[\.{3} \d{1,12} characters left out \.{3}\]|\.{3}|…|<[^<>]{1,40}>|\[redacted:[a-z-]{1,40}\]/

/** A part of a shortened text, and whether something is left out beside it. */
interface WholePart {
  text: string
  isCutBefore: boolean
  isCutAfter: boolean
}

/** Returns the parts of a shortened text, without white space around them; of another text, the text is the only part. */
export const splitAtGaps = (text: string): WholePart[] =>
  text
    .split(GAPS)
    .map((part, index, all) => ({
      text: part.trim(),
      isCutBefore: index > 0,
      isCutAfter: index < all.length - 1,
    }))
    .filter((part) => part.text !== '')

/** The conditions before and after a part of a fact, as regular expressions without a width, for the flag `u`. */
interface Edges {
  before: string
  after: string
}

/** Returns the edges of a part of a fact: next to a name, nothing may continue it, except where the name is cut. */
export function edgesOf(kind: string, { isCutBefore, isCutAfter }: Omit<WholePart, 'text'>): Edges {
  const isName = NAME_KINDS.has(kind)
  const starts = kind === 'version' ? VERSION_STARTS : NAME_STARTS
  return { before: isName && !isCutBefore ? starts : '', after: isName && !isCutAfter ? NAME_ENDS : '' }
}

/** Returns a function that returns whether a text has an edge at an offset. */
export function edgeTest(edge: string): (text: string, at: number) => boolean {
  const pattern = new RegExp(edge, 'uy')
  return (text, at) => {
    pattern.lastIndex = at
    return pattern.test(text)
  }
}

const [isStart, isEnd] = [edgeTest(NAME_STARTS), edgeTest(NAME_ENDS)]

/** So many characters of a text are enough to recognize it. */
export const START_CHARACTERS = 60

/**
 * Returns whether a text has the beginning of another one, which is not a part of longer words there: `ls` is not in `false`.
 * @param text as `comparable` returns it
 */
export function hasStart(text: string, other: string): boolean {
  const whole = comparable(other)
  const start = whole.slice(0, START_CHARACTERS)
  const isCut = start !== whole
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1))
    if (isStart(text, at) && (isCut || isEnd(text, at + start.length))) return true
  return false
}

/** Returns a text on one line, in small letters, without the marks of quoted lines. */
export const comparable = (text: string): string => oneLine(text.replace(/^[ \t]*>[ \t]?/gm, '')).toLowerCase()
