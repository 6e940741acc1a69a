/** A line that opens or closes a fence of code: its indentation and its marks. */
const FENCE = /^( *)(`{3,}(?=[^`]*$)|~{3,})/

/** Returns whether a line opens or closes a fence of code, for readers of prose: however deep it is in a list. */
export const isFence = (line: string): boolean => /^\s*(?:```|~~~)/.test(line)

/** Returns the lines that are prose: neither fences nor between them. */
export function withoutFenced(lines: readonly string[]): string[] {
  let isFenced = false
  return lines.filter((line) => {
    if (!isFence(line)) return !isFenced
    isFenced = !isFenced
    return false
  })
}

/** The mark of an item of a list, with the white space around it. */
const ITEM = /^ *(?:[-*+]|\d{1,9}[.)]) +(?=\S)/

/** Follows the fences of a text line by line (CommonMark 0.31, 4.5 and 5.2). */
export class FenceReader {
  /** The line that closes the open fence; undefined outside of one. */
  open: string | undefined
  /** The columns at which the texts of the open items of lists begin. */
  #items: number[] = []
  #isInParagraph = false

  /** Reads a line. @returns whether a fence was open before it */
  read(line: string): boolean {
    const wasOpen = this.open !== undefined
    const indent = line.length - line.trimStart().length
    const isBlank = line.trim() === ''
    // A line that is less indented ends an item, and what was opened in it.
    if (this.open !== undefined && !isBlank && indent < (this.#items.at(-1) ?? 0)) this.open = undefined
    if (this.open === undefined) this.#readText(line, indent)
    else if (isClosing(line, this.open)) this.open = undefined
    return wasOpen
  }

  #readText(line: string, indent: number): void {
    const [item] = ITEM.exec(line) ?? []
    const [, spaces = '', marks = ''] =
      FENCE.exec(item === undefined ? line : ' '.repeat(item.length) + line.slice(item.length)) ?? []
    const isText = marks === '' && item === undefined && line.trim() !== '' && !/^#{1,6} /.test(line)
    // A text may go on without indentation, and stays in its item.
    if (line.trim() !== '' && !(isText && this.#isInParagraph))
      this.#items = this.#items.filter((column) => column <= indent)
    if (item !== undefined) this.#items.push(item.length)
    // Four columns more make it code without a fence.
    if (marks !== '' && spaces.length < (this.#items.at(-1) ?? 0) + 4) this.open = spaces + marks
    this.#isInParagraph = isText || (item !== undefined && marks === '')
  }
}

function isClosing(line: string, open: string): boolean {
  const marks = open.trimStart()
  const trimmed = line.trim()
  return trimmed.length >= marks.length && trimmed.replaceAll(marks.charAt(0), '') === ''
}

/** Returns the line that closes the fence which a text leaves open; undefined where none is open. */
export function openFence(text: string): string | undefined {
  if (!text.includes('```') && !text.includes('~~~')) return undefined
  const reader = new FenceReader()
  for (const line of text.split('\n')) reader.read(line)
  return reader.open
}

/** Returns what must follow a text that was cut, so that what comes after it is not code, and no quotation. */
export function closingMarks(text: string): string {
  const fence = openFence(text)
  if (fence !== undefined) return `\n${fence}`
  const line = text.slice(text.lastIndexOf('\n') + 1)
  const quotes = FENCE.test(line) ? '' : closingQuotes(line)
  // Backticks alone would become a fence.
  return FENCE.test(line + quotes) ? '' : quotes
}

/** Returns a text, the end of which was cut, with what closes its marks. */
export const closeMarks = (text: string): string => text + closingMarks(text)

/** Longer lines are data. */
const MAX_LINE_CHARACTERS = 4000

/** Returns what closes the code and the quotation that are open at the end of a line. */
function closingQuotes(wholeLine: string): string {
  const line = wholeLine.slice(-MAX_LINE_CHARACTERS)
  let [code, quote] = ['', '']
  for (const { 0: mark, index } of line.matchAll(/(?<!`)`+|["“”]/g)) {
    if (mark.startsWith('`')) code = code === '' ? mark : code === mark ? '' : code
    else if (code !== '') continue
    else if (quote === mark || mark === '”') quote = ''
    else if (mark === '“') quote = '”'
    // Behind a letter or a digit, a straight mark opens nothing: it stands for inches.
    else if (quote === '' && !/[\p{L}\p{N}]/u.test(line.charAt(index - 1))) quote = '"'
  }
  return code + quote
}
