/** The note that stands for what was left out. The system prompt explains it to the model. */
export const gapNote = (characters: number): string => `[... ${characters} characters left out ...]`

const GAP_NOTE = /^\[\.\.\. (\d{1,12}) characters left out \.\.\.\]$/

/** Whether a line is such a note. */
export const isGapNote = (line: string): boolean => line.startsWith('[... ') && GAP_NOTE.test(line)

/** What a line and its end take where it is left out: of a note what it stands for. */
export const charactersOf = (line: string): number =>
  isGapNote(line) ? Number(GAP_NOTE.exec(line)?.[1]) : line.length + 1

const GAP_NOTES = new RegExp(GAP_NOTE, 'gm')

/**
 * Leaves out a text's middle, which may be counted again: the note is a line of its own that stands for what was there.
 * The result is a text of its own: a slice, or what is put together of some, would keep all of the first one alive.
 */
export const withoutMiddle = (text: string, headEnd: number, tailStart: number): string =>
  [text.slice(0, headEnd), gapNote(tailStart - headEnd - 1), text.slice(tailStart)].join('\n')

const leftOut = (characters: number): string => `\n${gapNote(characters)}\n`

/** How much of a head or tail may be given up for the sake of whole lines. */
const MAX_SHARE_GIVEN_UP = 0.2

const splitsPair = (text: string, index: number): boolean =>
  /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(index - 1, index + 1))

/** What a text was before parts of it were left out. */
export function countCharacters(text: string): number {
  let characters = text.length
  if (text.includes('[... '))
    for (const [note] of text.matchAll(GAP_NOTES)) characters += charactersOf(note) - note.length - 1
  return characters
}

/**
 * Shortens a text by leaving out its middle: head and tail stay, since errors stand at the end of a tool's output. Cuts
 * at a line's end where one is near, and never through a surrogate pair.
 * @param maxCharacters how long the result may be, the note included, in UTF-16 units; at least 100
 */
export function truncateMiddle(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  const room = maxCharacters - leftOut(countCharacters(text)).length
  const headEnd = endOfHead(text, Math.ceil(room / 2))
  const tailStart = startOfTail(text, text.length - Math.floor(room / 2))
  return text.slice(0, headEnd) + leftOut(countCharacters(text.slice(headEnd, tailStart))) + text.slice(tailStart)
}

function endOfHead(text: string, limit: number): number {
  const lineEnd = text.lastIndexOf('\n', limit)
  if (lineEnd >= limit * (1 - MAX_SHARE_GIVEN_UP)) return lineEnd
  return splitsPair(text, limit) ? limit - 1 : limit
}

function startOfTail(text: string, limit: number): number {
  const lineStart = text.indexOf('\n', limit - 1) + 1
  if (lineStart > 0 && lineStart - limit <= (text.length - limit) * MAX_SHARE_GIVEN_UP) return lineStart
  return splitsPair(text, limit) ? limit + 1 : limit
}
/** Behind these the value of an assignment may stand on the next line. */
const OPENS_VALUE = /[=:>]["'\]]?\s*$/

/** A line that begins so goes on with an assignment. */
const GOES_ON = /^["'\]\s]{0,4}(?:=|:[= "'])/

/** An assignment's parts are at most so many line ends apart. */
const MAX_LINES_BACK = 3

const isParted = (before: string, line: string): boolean => OPENS_VALUE.test(before) || GOES_ON.test(line)

/**
 * Finds where what is kept of a text may begin: at the first line from a place on that is not the value of a line before
 * it, since a secret is told by its name.
 * @returns undefined where no line begins there
 */
export function findLineStart(text: string, from: number): number | undefined {
  for (let end = text.indexOf('\n', Math.max(0, from - 1)); end >= 0; end = text.indexOf('\n', end + 1))
    if (!isParted(text.slice(Math.max(0, end - 40), end), text.slice(end + 1, end + 9))) return end + 1
  return undefined
}

/** The line that a line's value may belong to: the one before, but for blank ones, where it opens a value. */
export function findOpeningLine(lines: readonly string[], index: number): number | undefined {
  for (let back = index - 1; back >= 0 && back >= index - MAX_LINES_BACK; back--) {
    const line = lines[back] ?? ''
    if (line.trim() !== '') return isParted(line.slice(-40), (lines[index] ?? '').slice(0, 8)) ? back : undefined
  }
  return undefined
}
