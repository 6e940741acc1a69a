import { closeMarks, closingMarks } from './close-marks.ts'

/** Returns a text on one line, with each run of white space as one space. */
export const oneLine = (text: string): string => singleSpaced(text).trim()

/** Returns a text with one space between words. Most spaces are that already, and are not replaced. */
export const singleSpaced = (text: string): string => text.replace(/ \s+|[^\S ]\s*/g, ' ')

const FENCE_LINES = /^[ \t]{0,8}(?:```|~~~).*$/gm

/** Returns a text on one line without the marks of fences: there, they would make code of what follows them. */
export const oneLineWithoutFences = (text: string): string => oneLine(text.replace(FENCE_LINES, ''))

/** Returns the beginning of a text, word for word and without a mark for the rest. */
export const beginning = (text: string, maxCharacters: number): string =>
  firstCharacters(text.trim(), maxCharacters).trimEnd()

/**
 * Returns a text cut to a number of characters, at the end of a word where one is near and never inside a surrogate
 * pair. Code and quotations that the cut leaves open are closed, where there is room.
 */
export function shorten(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  const cut = `${cutAtWord(text, maxCharacters - 1)}…`
  const closing = closingMarks(cut)
  if (closing === '' || closing.length > maxCharacters / 2) return cut
  const closed = closeMarks(`${cutAtWord(text, maxCharacters - 1 - closing.length)}…`)
  return closed.length <= maxCharacters ? closed : cut
}

/** Returns the beginning of a text, up to the end of a word. */
export function shortenToWord(text: string, maxCharacters: number): string {
  const name = shorten(text, maxCharacters)
  const end = name.lastIndexOf(' ')
  const isInWord = name.endsWith('…') && /[\p{L}\p{N}]/u.test(text.charAt(name.length - 1))
  return isInWord && end > maxCharacters / 2 ? `${name.slice(0, end)}…` : name
}

/** Returns a text cut to a number of characters, wherever that is: marks stay open. */
export const truncate = (text: string, maxCharacters: number): string =>
  text.length <= maxCharacters ? text : `${firstCharacters(text, maxCharacters - 1)}…`

function cutAtWord(text: string, maxCharacters: number): string {
  const head = firstCharacters(text, maxCharacters)
  const space = head.lastIndexOf(' ')
  const [word = ''] = text.slice(space + 1, head.length + MAX_NAME_CHARACTERS).split(/\s/, 1)
  const isCutName = space + 1 + word.length > head.length && NAME.test(word)
  const least = isCutName ? LEAST_BEFORE_NAME : LEAST_BEFORE_WORD
  return space > maxCharacters * least ? head.slice(0, space) : head
}

/** A path, an address, a version or an identifier: its beginning would be the name of something else. */
const NAME = /[\p{L}\d_-][/._\\][\p{L}\d_-]/u

/** So much of a name is read behind the cut. */
const MAX_NAME_CHARACTERS = 200

/** The least share of a text that is left where it is cut before a name, or before another word. */
const LEAST_BEFORE_NAME = 1 / 3
const LEAST_BEFORE_WORD = 0.8

/** Splits a text into parts of at most a number of UTF-16 units, at least 2, and never inside a surrogate pair. */
export function splitText(text: string, maxCharacters: number): string[] {
  const parts: string[] = []
  for (let start = 0; start < text.length;) {
    const limit = Math.min(text.length, start + maxCharacters)
    const end = splitsPair(text, limit) ? limit - 1 : limit
    parts.push(text.slice(start, end))
    start = end
  }
  return parts
}

/** Returns a text with U+FFFD in the place of lone surrogates: servers reject a JSON body that has one. */
export const replaceLoneSurrogates = (text: string): string => text.toWellFormed()

/** Returns the beginning of a text, never with half of a surrogate pair at its end. */
export const firstCharacters = (text: string, maxCharacters: number): string =>
  text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '')

/** Returns the note for characters that were left out. The system prompt explains it to the model. */
export const gapNote = (characters: number): string => `[... ${characters} characters left out ...]`

const GAP_NOTE = /^\[\.\.\. (\d{1,12}) characters left out \.\.\.\]$/

/** Whether a line is a note for characters that were left out. */
export const isGapNote = (line: string): boolean => line.charCodeAt(0) === OPEN_BRACKET && GAP_NOTE.test(line)

const OPEN_BRACKET = 0x5b

/** Returns the length of a line with its line end; for a note, the number of characters that it stands for. */
export const charactersOf = (line: string): number =>
  isGapNote(line) ? Number(GAP_NOTE.exec(line)?.[1]) : line.length + 1

const GAP_NOTES = new RegExp(GAP_NOTE, 'gm')

/** Returns the parts of a text between the notes for what was left out. */
export const textsAroundGaps = (text: string): string[] => text.split(GAP_NOTES).filter((_, index) => index % 2 === 0)

const leftOut = (characters: number): string => `\n${gapNote(characters)}\n`

/** The largest share of the head or tail that is left out in order to cut between lines. */
const MAX_UNUSED_SHARE = 0.2

/** Returns whether an index is inside a surrogate pair. */
export const splitsPair = (text: string, index: number): boolean =>
  /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(index - 1, index + 1))

/** Returns the length that a text had before parts of it were replaced by notes. */
export function countCharacters(text: string): number {
  let characters = text.length
  if (text.includes('[... '))
    for (const [note] of text.matchAll(GAP_NOTES)) characters += charactersOf(note) - note.length - 1
  return characters
}

/**
 * Returns a text that is too long without its middle: the head stays, and the tail, since errors are at the end of a
 * tool's output. It is cut at the end of a line where one is near, and never inside a surrogate pair.
 * @param maxCharacters the limit of the result with its note, in UTF-16 units; at least 100
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
  if (lineEnd >= limit * (1 - MAX_UNUSED_SHARE)) return lineEnd
  return splitsPair(text, limit) ? limit - 1 : limit
}

function startOfTail(text: string, limit: number): number {
  const lineStart = text.indexOf('\n', limit - 1) + 1
  if (lineStart > 0 && lineStart - limit <= (text.length - limit) * MAX_UNUSED_SHARE) return lineStart
  return splitsPair(text, limit) ? limit + 1 : limit
}

/** The end of a line after which the value of an assignment may be on the next line. */
const OPENS_VALUE = /[=:>]["'\]]?\s*$/

/** The beginning of a line that continues an assignment. */
const CONTINUES_ASSIGNMENT = /^["'\]\s]{0,4}(?:=|:[= "'])/

/** Whether a cut between two lines would separate the parts of an assignment. */
const separatesAssignment = (before: string, line: string): boolean =>
  OPENS_VALUE.test(before) || CONTINUES_ASSIGNMENT.test(line)

/**
 * Returns the offset of the first line, from an offset on, at which a text may be cut: the line is not the value of an
 * assignment in the line before it, since a secret is recognized by its name.
 * @returns undefined where there is no such line
 */
export function findLineStart(text: string, from: number): number | undefined {
  for (let end = text.indexOf('\n', Math.max(0, from - 1)); end >= 0; end = text.indexOf('\n', end + 1))
    if (!separatesAssignment(text.slice(Math.max(0, end - 40), end), text.slice(end + 1, end + 9))) return end + 1
  return undefined
}

/** A shorter middle is not worth a note. With its note, a text without its middle is not cut again. */
const MIN_MIDDLE_CHARACTERS = 200

/**
 * Returns whole lines at both ends of a long text, with a note on a line of its own in the place of its middle. A text whose lines are too
 * long for that stays as it is. The result is a new string: a slice, or a concatenation of slices, would keep the whole text in memory.
 */
export function withoutMiddleLines(text: string, head: number, tail = head): string {
  if (text.length <= head + tail + MIN_MIDDLE_CHARACTERS) return text
  const headEnd = text.lastIndexOf('\n', head)
  const tailStart = findLineStart(text, text.length - tail)
  if (headEnd < head / 2 || tailStart === undefined || text.length - tailStart < tail / 2) return text
  const note = gapNote(countCharacters(text.slice(headEnd + 1, tailStart)))
  return [text.slice(0, headEnd), note, text.slice(tailStart)].join('\n')
}

/** Returns a text; of a long one, both ends, with a blank line between them. */
export const headAndTail = (text: string, head: number, tail: number): string =>
  text.length <= head + tail ? text : `${text.slice(0, head)}\n\n${text.slice(-tail)}`

/** Returns inline code, with two backticks where the text contains one, as a shell command may. */
export const inlineCode = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``)

/** Returns a text with `\n` at the end of each line: clients on Windows write `\r\n`. */
export const toLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n')
