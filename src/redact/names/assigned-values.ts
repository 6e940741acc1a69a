import { closeOf, endOf, matchAt, QUOTE, type Span } from '../scan.ts'

/** A line end, also escaped, with the number of the line or the mark of a diff behind it. */
const LINE =
  /(?:[ \t]{0,20}(?:#[^\n\\]{0,100})?)(?:\r?\n|(?:\\{1,4}r)?\\{1,4}n)(?:[ \t]{0,8}\d{1,6}(?:→|\||\t)|[-+](?=[ \t]))?(?<indent>[ \t]{0,100})(?<words>[^\r\n"'\\]{0,1000})/y

/** The number of lines that are read of a block. */
const BLOCK_LINES = 200

/** Returns the lines of the block of YAML whose header ends at a place: those that are indented as its first line is. */
export function linesOfBlock(text: string, at: number): Span[] {
  const lines: Span[] = []
  let least = 1
  let next = at
  for (let count = 0; count < BLOCK_LINES; count++) {
    const line = matchAt(LINE, text, next)
    const { indent = '', words = '' } = line?.groups ?? {}
    if (line === undefined || (words !== '' && indent.length < least)) return lines
    next = endOf(line)
    const trimmed = words.trimEnd()
    if (trimmed === '') continue
    least = indent.length
    lines.push({ start: next - words.length, end: next - words.length + trimmed.length })
  }
  return lines
}

/** Between an old value and a new one, as plans of Terraform write them. */
const ARROW = new RegExp(
  String.raw`(?:null|\((?:sensitive value|sensitive|known after apply)\)|${QUOTE})[ \t]{1,20}(?:->|=>|→)[ \t]{1,20}(?<quote>${QUOTE})`,
  'y',
)

/** Between two elements of a list. */
const NEXT_ELEMENT = new RegExp(String.raw`${QUOTE},(?:\s|\\{1,4}n){0,20}(?<quote>${QUOTE})`, 'y')

/** The number of elements that are read of a list. */
const ELEMENTS = 20

/**
 * Returns the value that takes the place of another one: `password = "old" -> "new"`.
 * @param at the quote behind the old value, or its beginning if it has none
 */
export function changedValue(text: string, at: number): Span | undefined {
  const word = matchAt(NEW_WORD, text, at)
  return word === undefined ? valueBehind(text, at, ARROW) : { start: at + NEW_WORD_MARK.length, end: endOf(word) }
}

/** Between the old word and the new one, and the new one, as `git diff --word-diff` writes them. */
const NEW_WORD_MARK = '-]{+'
const NEW_WORD = /-\]\{\+[^\s{}]{4,200}(?=\+\})/y

/** Returns the elements of a list behind its first one: `"passwords": ["x", "y"]`. */
export function nextElements(text: string, at: number): Span[] {
  const elements: Span[] = []
  for (let next = at; elements.length < ELEMENTS;) {
    const element = valueBehind(text, next, NEXT_ELEMENT)
    if (element === undefined) break
    elements.push(element)
    next = element.end
  }
  return elements
}

function valueBehind(text: string, at: number, between: RegExp): Span | undefined {
  const match = matchAt(between, text, at)
  if (match === undefined) return undefined
  const start = endOf(match)
  const end = closeOf(text, start, match.groups?.['quote'] ?? '')
  return end === undefined ? undefined : { start, end }
}
