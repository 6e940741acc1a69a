import { findTextStart, isBlank } from '../text/json-scan.ts'

/** Where a text stops being JSON. Lines and columns (UTF-16 units) are counted from 1. */
export interface JsonFault {
  /** The index of the byte. */
  at: number
  line: number
  column: number
  /** Whether the text ends there too early. */
  isEnd: boolean
  /** Whether one value is complete there, and another one begins. */
  isNextValue: boolean
}

/** Brackets that are open at the same time; no session has as many. */
const MAX_DEPTH = 100_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENERS = new Map([
  [0x7b, 0x7d],
  [0x5b, 0x5d],
])

/**
 * Returns the first fault of a text by the grammar of RFC 8259: the errors of `JSON.parse` quote the text, and do not always
 * name the place. Linear; no recursion. `scanMembers` (text/json-scan.ts) validates nothing, so it is not enough; the scanner of
 * jsonc-parser would replace `#readString` only, and needs the whole body as a string.
 * @returns undefined if there is none, or if it is nested too deeply
 */
export function findJsonFault(body: Buffer): JsonFault | undefined {
  const scan = new Scan(body)
  const at = scan.findFault()
  if (at === undefined) return undefined
  const feed = body.subarray(0, at).lastIndexOf(0x0a)
  let line = 1
  for (let next = body.indexOf(0x0a); next >= 0 && next < at; next = body.indexOf(0x0a, next + 1)) line += 1
  const column = body.toString('utf8', Math.max(feed + 1, scan.start), at).length + 1
  return { at, line, column, isEnd: at >= body.length, isNextValue: scan.isComplete && OPENERS.has(body[at] ?? 0) }
}

/** The kinds of tokens that may come next. */
type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end'

class Scan {
  readonly #body: Buffer
  /** The brackets that must close what is open. */
  readonly #closers: number[] = []
  /** The index after a byte order mark. */
  readonly start: number
  /** Whether one whole value has been read. */
  isComplete = false

  constructor(body: Buffer) {
    this.#body = body
    this.start = findTextStart(body)
  }

  /** Returns the index of the first byte that does not belong there. */
  findFault(): number | undefined {
    let expected: Expected = 'value'
    for (let at = this.start; ;) {
      at = skip(this.#body, at, isBlank)
      if (this.isComplete) return at < this.#body.length ? at : undefined
      const next = this.#readToken(at, expected)
      if (typeof next === 'number') return next
      at = next.end
      expected = next.expected
      this.isComplete = this.#closers.length === 0 && expected === 'comma or end'
      if (this.#closers.length > MAX_DEPTH) return undefined
    }
  }

  /** Returns what follows the next token, or the index of its fault. */
  #readToken(at: number, expected: Expected): { end: number; expected: Expected } | number {
    const byte = this.#body[at]
    const closer = this.#closers.at(-1)
    if (byte === closer && byte !== undefined && expected.endsWith('or end')) {
      this.#closers.pop()
      return { end: at + 1, expected: 'comma or end' }
    }
    if (expected === 'colon') return byte === 0x3a ? { end: at + 1, expected: 'value' } : at
    if (expected === 'comma or end')
      return byte === 0x2c ? { end: at + 1, expected: closer === 0x7d ? 'key' : 'value' } : at
    if (byte === QUOTE) return this.#readString(at, expected.startsWith('key') ? 'colon' : 'comma or end')
    if (expected.startsWith('key')) return at
    const opened = OPENERS.get(byte ?? 0)
    if (opened !== undefined) {
      this.#closers.push(opened)
      return { end: at + 1, expected: opened === 0x7d ? 'key or end' : 'value or end' }
    }
    const end = skip(this.#body, at, isWord)
    const isRight = end - at > MAX_SCALAR || SCALAR.test(this.#body.toString('latin1', at, end))
    return isRight ? { end, expected: 'comma or end' } : at
  }

  #readString(open: number, expected: Expected): { end: number; expected: Expected } | number {
    for (let at = open + 1; ; at++) {
      const byte = this.#body[at]
      if (byte === QUOTE) return { end: at + 1, expected }
      if (byte === undefined || byte < 0x20) return at
      if (byte !== BACKSLASH) continue
      if (ESCAPED.has(this.#body[at + 1] ?? 0)) at += 1
      else if (/^u[\dA-Fa-f]{4}/.test(this.#body.toString('latin1', at + 1, at + 6))) at += 5
      else return at
    }
  }
}

/** The bytes that may follow a backslash, and `u` with four digits (RFC 8259, section 7). */
const ESCAPED: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'))

/** Numbers with more characters count as right: `JSON.parse` reads them. */
const MAX_SCALAR = 1000

/** A literal or a number (RFC 8259, sections 3 and 6). */
const SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/

function skip(body: Buffer, from: number, isSkipped: (byte: number) => boolean): number {
  let at = from
  for (let byte = body[at]; byte !== undefined && isSkipped(byte); byte = body[at]) at += 1
  return at
}

/** Letters, digits, and the signs of numbers. */
const isWord = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  '+-.'.includes(String.fromCharCode(byte))
