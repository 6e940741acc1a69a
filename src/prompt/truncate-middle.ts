/** The note that stands for what was left out. The system prompt explains it to the model. */
export const gapNote = (characters: number): string => `[... ${characters} characters left out ...]`

const GAP_NOTE = /^\[\.\.\. (\d{1,12}) characters left out \.\.\.\]$/

/** Whether a line is such a note. */
export const isGapNote = (line: string): boolean => line.startsWith('[... ') && GAP_NOTE.test(line)

/** What a line and its end take where it is left out: of a note what it stands for. */
export const charactersOf = (line: string): number =>
  isGapNote(line) ? Number(GAP_NOTE.exec(line)?.[1]) : line.length + 1

const GAP_NOTES = new RegExp(GAP_NOTE, 'gm')

/** What a text was before parts of it were left out. */
export function countCharacters(text: string): number {
  let characters = text.length
  if (text.includes('[... '))
    for (const [note] of text.matchAll(GAP_NOTES)) characters += charactersOf(note) - note.length - 1
  return characters
}

/**
 * Leaves out a text's middle, which may be counted again: the note is a line of its own that stands for what was there.
 * The result is a text of its own: a slice, or what is put together of some, would keep all of the first one alive.
 */
export const withoutMiddle = (text: string, headEnd: number, tailStart: number): string =>
  [text.slice(0, headEnd), gapNote(tailStart - headEnd - 1), text.slice(tailStart)].join('\n')

const leftOut = (characters: number): string => `\n${gapNote(characters)}\n`

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

/** How much of a head or tail may be given up for the sake of whole lines. */
const MAX_SHARE_GIVEN_UP = 0.2

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

const splitsPair = (text: string, index: number): boolean =>
  /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(index - 1, index + 1))
