import type { ByteRange } from '../session/entry.ts'
import { findTextStart, withoutBlanks } from './split-lines.ts'

interface SplitOptions<Name extends string> {
  /** The fields of the body whose lists are split. */
  names: readonly Name[]
  /** Replaces such a list in the rest of the body: a JSON value that no client can write. */
  placeholder: string
  /**
   * Called when a list begins. A second list of the same name replaces the first, as with `JSON.parse`.
   * @returns the function that receives the list's elements
   */
  onList: (name: Name) => OnElement
  /** A field whose object or array is left out too, in one piece. */
  whole?: { name: string; onValue: OnElement }
}

/** Called with the bytes of a value, without the white space around it. */
type OnElement = (range: ByteRange) => void

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/**
 * Splits the text of a JSON object into the elements of some of its lists and the rest. It jumps from quote to quote and
 * counts brackets. It does not validate: the object is JSON if the rest and all elements are JSON (RFC 8259, section 2),
 * which their parser checks. A byte order mark is skipped (RFC 8259, section 8.1). Linear for any input.
 * @returns the rest: JSON with a placeholder for each list, and for the value that is left out in one piece
 * @throws SyntaxError if a list is closed by a brace; what `onList` and the function that it returns throw
 */
export function splitElements<Name extends string>(body: Buffer, options: SplitOptions<Name>): string {
  const rest: string[] = []
  let from = findTextStart(body)
  let lastString: ByteRange = { start: 0, end: 0 }
  let name = ''
  for (let at = findObjectStart(body, from); at < body.length; at++) {
    switch (body[at]) {
      case QUOTE: {
        const end = findStringEnd(body, at)
        lastString = { start: at, end: end + 1 }
        at = end
        break
      }
      case COLON:
        name = readName(body, lastString)
        break
      case COMMA:
        name = ''
        break
      case OPEN_BRACE:
      case OPEN_BRACKET: {
        const list = body[at] === OPEN_BRACKET ? options.names.find((one) => one === name) : undefined
        const start = at
        at = list === undefined ? findClose(body, at) : splitList(body, at, options.onList(list))
        const isWhole = list === undefined && name !== '' && name === options.whole?.name
        if (isWhole) options.whole?.onValue({ start, end: Math.min(at + 1, body.length) })
        if (list === undefined && !isWhole) break
        rest.push(body.toString('utf8', from, start), options.placeholder)
        from = at + 1
        name = ''
        break
      }
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        at = body.length
    }
  }
  return rest.join('') + body.toString('utf8', Math.min(from, body.length))
}

/**
 * Returns where the elements of a list are, in an object or an array. The last list of a name counts, as with `JSON.parse`.
 * @param name the field with the list of an object
 */
export function findElements(body: Buffer, name?: string): ByteRange[] {
  let ranges: ByteRange[] = []
  const onElement = (range: ByteRange): void => {
    ranges.push(range)
  }
  const onList = () => {
    ranges = []
    return onElement
  }
  const { start } = withoutBlanks(body, findTextStart(body), body.length)
  if (name !== undefined) splitElements(body, { names: [name], placeholder: '[]', onList })
  else if (body[start] === OPEN_BRACKET) splitList(body, start, onElement)
  return ranges
}

/** Returns the index after the brace that opens the object; the length of the body if it is not an object. */
function findObjectStart(body: Buffer, from: number): number {
  const { start } = withoutBlanks(body, from, body.length)
  return body[start] === OPEN_BRACE ? start + 1 : body.length
}

/** Reports the elements of a list. @returns the index of the bracket that closes it, or the length of the body */
function splitList(body: Buffer, open: number, onElement: OnElement): number {
  let from = open + 1
  const close = findClose(body, open, (comma) => {
    onElement(withoutBlanks(body, from, comma))
    from = comma + 1
  })
  if (body[close] === CLOSE_BRACE) throw new SyntaxError('A list is closed by a brace.')
  const last = withoutBlanks(body, from, close)
  const isEmptyList = from === open + 1 && last.start === last.end
  if (close < body.length && !isEmptyList) onElement(last)
  return close
}

/**
 * Returns the index of the bracket or brace that closes a list or an object, or the length of the body.
 * @param onComma called with the index of each comma between its elements
 */
function findClose(body: Buffer, open: number, onComma?: (at: number) => void): number {
  let depth = 1
  for (let at = open + 1; at < body.length; at++) {
    switch (body[at]) {
      case QUOTE:
        at = findStringEnd(body, at)
        break
      case OPEN_BRACKET:
      case OPEN_BRACE:
        depth += 1
        break
      case COMMA:
        if (depth === 1) onComma?.(at)
        break
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        depth -= 1
        if (depth === 0) return at
    }
  }
  return body.length
}

/** Returns the index of the quote that ends a string, or the length of the body. */
function findStringEnd(body: Buffer, open: number): number {
  for (let from = open + 1; ;) {
    const quote = body.indexOf(QUOTE, from)
    if (quote < 0) return body.length
    let start = quote
    while (start > from && body[start - 1] === BACKSLASH) start -= 1
    if ((quote - start) % 2 === 0) return quote
    from = quote + 1
  }
}

/** A field with a longer name is never one of `names`, even if each of its characters is an escape of six bytes. */
const MAX_NAME_BYTES = 200

/** Returns the text of a name, escapes resolved; '' if it is too long or not a JSON string. */
function readName(body: Buffer, { start, end }: ByteRange): string {
  if (end - start > MAX_NAME_BYTES) return ''
  const json = body.toString('utf8', start, end)
  if (!json.includes('\\')) return json.slice(1, -1)
  try {
    return String(JSON.parse(json))
  } catch (error) {
    if (error instanceof SyntaxError) return ''
    throw error
  }
}
