import type { Secret } from '../rule.ts'
import { endAt, endOfRun, type Span } from '../scan.ts'
import { isRandom } from '../values/secret-values.ts'

const label = (word: string): RegExp =>
  new RegExp(`-----${word} (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----`, 'y')

/** The labels of a private key in PEM (RFC 7468), OpenSSH and PGP (RFC 9580). */
export const BEGIN = label('BEGIN')
export const END = label('END')

/** The beginnings of a key's lines: numbers of a tool that reads files, marks of a diff, of code, of mail. */
const LINE_START =
  String.raw`(?:[ \t]{0,40}\d{1,7}[ \t]{0,3}(?:→|\||:|\t)|)[ \t]{0,40}[-+>#*|]?[ \t]{0,40}(?:b(?=\\{0,3}["'])|\$\w{1,30} {0,3}\.?= {0,3})?\\{0,3}["'` +
  '`]?'

/** A line end, also as JSON and XML escape it, with the quotes of code around it. */
const LINE_END = String.raw`(?:[ \t]{0,40}(?:\\{0,3}["'${'`'}][ \t]{0,4})?(?:[+,.;\\][ \t]{0,40})?(?:\r?\n|(?:\\{1,4}r)?\\{1,4}n|\r)|&#(?:10|13|x[aAdD]);)`

/** Between the lines of a key. One line end at least, unless spaces stand in its place. */
const BREAK = new RegExp(`(?:(?:${LINE_END}){1,8}(?:${LINE_START})| {1,8})`, 'y')

/** Signs of tables, lists and code between the lines of a key: none of them is in Base64. */
const SIGNS = new RegExp(
  String.raw`(?:[\s"'${'`'},|;$()[\]{}>*#]|\\{1,4}[nrt]?|</?[a-z]{1,10} ?/?>|[-+](?=[\s"'\\])|&(?:#(?:10|13|x[aAdD])|quot|#34);){1,200}`,
  'y',
)

/** Base64, with `/` as some encoders of JSON write it. */
export const BASE64 = /(?:[A-Za-z0-9+/=]|\\\/){1,4000}/y

/** Headers of PEM (RFC 1421) and PGP (RFC 9580), and the note of a cut. */
const HEADER =
  /(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID|Content-Domain): [^\n\\]{0,200}|\[?\.{3}[^\]\n\\]{0,80}\]?|\[[^\]\n\\]{0,20}(?:omitted|truncated|cut|more)[^\]\n\\]{0,60}\])/iy

/** Returns the end of a closing label; its first hyphen may have been taken for the mark of a diff. */
const closingLabel = (text: string, at: number): number | undefined =>
  endAt(END, text, at) ?? endAt(END, text, Math.max(0, at - 1))

/**
 * Reads the lines of a key.
 * @param start where its first label ends, or its first line begins
 * @returns where its text ends, with the closing label; undefined if there is no text of a key
 */
export function endOfKey(text: string, start: number): number | undefined {
  let end: number | undefined
  let width = 0
  for (let at = start; ;) {
    const isFirst = end === undefined
    // Before the first line, a hash or a name may look like a short one.
    const line =
      (isFirst ? lineNear(text, at, width) : undefined) ?? lineAt(text, at, isFirst) ?? lineNear(text, at, width)
    if (line === undefined) return end
    if (line.isClosing) return line.end
    at = line.end
    if (line.isHeader) continue
    if (width === 0) width = at - line.start
    end = at
  }
}

interface KeyLine extends Span {
  isClosing?: boolean
  isHeader?: boolean
}

function lineAt(text: string, at: number, isFirst: boolean): KeyLine | undefined {
  const start = afterBreak(text, at)
  const closing = isFirst ? undefined : closingLabel(text, start)
  if (closing !== undefined) return { start, end: closing, isClosing: true }
  const header = endAt(HEADER, text, start)
  if (header !== undefined) return { start, end: header, isHeader: true }
  const end = endOfRun(BASE64, text, start)
  return end > start && isKeyLine(text, { start, end }, isFirst) ? { start, end } : undefined
}

/** How far apart two lines of a key may be, whatever stands between them: as members of objects, in a table. */
const GAP_CHARACTERS = 120

const RUN = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{40,200}(?![A-Za-z0-9+/])={0,2}/g

/** Returns the next line of a key behind unknown signs: it looks random, and is as long as the first line. */
function lineNear(text: string, at: number, width: number): KeyLine | undefined {
  const near = text.slice(at, at + GAP_CHARACTERS + Math.max(width, 100))
  for (const { 0: run, index } of near.matchAll(RUN))
    if ((width === 0 || run.length === width) && isKeyText(run)) {
      const start = at + index
      return near.slice(0, index).includes('-----') ? undefined : { start, end: start + run.length }
    }
  return undefined
}

/** Returns where the next line of a key begins. */
const afterBreak = (text: string, at: number): number =>
  Math.max(endOfRun(BREAK, text, at), endAt(SIGNS, text, at) ?? at)

/** Base64 is longer than words, or looks random, or ends the key. A word of prose is neither. */
function isKeyLine(text: string, { start, end }: Span, isFirst: boolean): boolean {
  const line = text.slice(start, Math.min(end, start + 100))
  // `sed -n l` and shells continue a line behind a backslash.
  if (!isFirst && /\\\r?\n$/.test(text.slice(start - 3, start))) return true
  if (line.length >= 24) return !isFirst || !/^[a-z/]+$|^[A-Za-z]?[a-z]+(?:[A-Z/][a-z]+)+$/.test(line)
  if (closingLabel(text, afterBreak(text, end)) !== undefined) return !isFirst || !/^[A-Z]?[a-z]+$/.test(line)
  const isAlone =
    /^(?:$|[\\"'`\s%&|$<,\u001b])/.test(text.slice(end, end + 1)) && !/^ {1,8}[a-z]/.test(text.slice(end, end + 9))
  return isAlone && line.length >= 2 && /\d|[+/=]|[a-z][A-Z]/.test(line)
}

/** Returns whether a text is surely Base64 of random bytes: it has all kinds of letters and digits, in no order. */
export const isKeyText = (text: string): boolean =>
  text.length >= 40 && /[A-Z]/.test(text) && /[a-z]/.test(text) && /\d/.test(text) && isRandom(text)

/** A longer text is no part of a key. */
const PART_CHARACTERS = 8_000

/** Lines of one width, as programs write keys; a part of a line may stand before them and behind them. */
const PART =
  /^\s{0,20}(?:[A-Za-z0-9+/]{1,76}\r?\n)?(?<first>[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{70}|[A-Za-z0-9+/]{76})(?:\r?\n(?:[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{70}|[A-Za-z0-9+/]{76})){2,100}(?:\r?\n[A-Za-z0-9+/]{0,76}={0,2})?\s{0,20}$/

/**
 * Returns a text that is nothing but lines of Base64 as a secret: a key may have been cut at both ends (`sed -n 5,20p`). If it
 * is a part of something else, a summary does not need it.
 */
export function findPartOfKey(text: string): Secret[] {
  const first = text.length > PART_CHARACTERS ? undefined : PART.exec(text)?.groups?.['first']
  if (first === undefined || !isKeyText(first)) return []
  const start = text.search(/\S/)
  return [{ start, end: text.trimEnd().length, kind: 'private-key' }]
}
