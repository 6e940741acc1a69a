import { STRING_QUOTE } from '../pattern-parts.ts'
import { closeOf } from '../quoted-text.ts'

interface Span {
  start: number
  end: number
}

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
    LINE.lastIndex = next
    const { indent = '', words = '' } = LINE.exec(text)?.groups ?? {}
    if (LINE.lastIndex === 0 || (words !== '' && indent.length < least)) return lines
    next = LINE.lastIndex
    const trimmed = words.trimEnd()
    if (trimmed === '') continue
    least = indent.length
    lines.push({ start: next - words.length, end: next - words.length + trimmed.length })
  }
  return lines
}

/** Between an old value and a new one, as plans of Terraform write them. */
const ARROW = new RegExp(
  String.raw`(?:null|\((?:sensitive value|sensitive|known after apply)\)|${STRING_QUOTE})[ \t]{1,20}(?:->|=>|→)[ \t]{1,20}(?<quote>${STRING_QUOTE})`,
  'y',
)

/**
 * Returns the value that takes the place of another one: `password = "old" -> "new"`.
 * @param at the quote behind the old value, or its beginning if it has none
 */
export function changedValue(text: string, at: number): Span | undefined {
  ARROW.lastIndex = at
  const quote = ARROW.exec(text)?.groups?.['quote']
  if (quote === undefined) return undefined
  const start = ARROW.lastIndex
  const end = closeOf(text, start, quote)
  return end < 0 ? undefined : { start, end }
}
