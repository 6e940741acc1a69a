import type { ByteRange } from '../session/entry.ts'

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
}

/** Called with the bytes of each element of a list, without the white space around it. */
type OnElement = (range: ByteRange) => void

const LINE_FEED = 0x0a
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
 * @returns the rest: JSON with a placeholder for each list
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
        if (list === undefined) at = findClose(body, at)
        else {
          rest.push(body.toString('utf8', from, at), options.placeholder)
          at = splitList(body, at, options.onList(list))
          from = at + 1
          name = ''
        }
        break
      }
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        at = body.length
    }
  }
  return rest.join('') + body.toString('utf8', Math.min(from, body.length))
}

/** Returns the index after the brace that opens the object; the length of the body if it is not an object. */
function findObjectStart(body: Buffer, from: number): number {
  const { start } = withoutBlanks(body, from, body.length)
  return body[start] === OPEN_BRACE ? start + 1 : body.length
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF')

/** Returns the index after the byte order mark that some editors write at the beginning of a file; 0 without one. */
export function findTextStart(body: Buffer): number {
  return body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0
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

/** Calls back for each line of a text that is not blank, with its number; the first line is 0. */
export function splitLines(body: Buffer, onLine: (line: number, range: ByteRange) => void): void {
  let line = 0
  for (let at = findTextStart(body); at < body.length;) {
    // A loop over bytes is faster than a search: a hostile body has only line feeds.
    if (isBlank(body[at])) {
      if (body[at] === LINE_FEED) line += 1
      at += 1
      continue
    }
    const feed = body.indexOf(LINE_FEED, at)
    const end = feed < 0 ? body.length : feed
    onLine(line, withoutBlanks(body, at, end))
    at = end
  }
}

/** Returns the first line of a text that is not blank. */
export function findFirstLine(body: Buffer): ByteRange {
  const { start } = withoutBlanks(body, findTextStart(body), body.length)
  const feed = body.indexOf(LINE_FEED, start)
  return { start, end: feed < 0 ? body.length : feed }
}

/** Returns a range without the white space of JSON (RFC 8259, section 2) at its ends. */
function withoutBlanks(body: Buffer, from: number, to: number): ByteRange {
  let start = from
  let end = to
  while (start < end && isBlank(body[start])) start += 1
  while (end > start && isBlank(body[end - 1])) end -= 1
  return { start, end }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === LINE_FEED || byte === 0x0d
}
