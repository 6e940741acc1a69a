import type { Rule, Secret } from './rule.ts'

/** The label of a private key in PEM (RFC 7468), OpenSSH and PGP (RFC 9580). */
const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y

/** What stands at the beginning of a key's lines: numbers of a tool that reads files, marks of a diff, of code, of mail. */
const LINE_START =
  String.raw`(?:[ \t]{0,40}\d{1,7}[ \t]{0,3}(?:→|\||:|\t)|)[ \t]{0,40}[-+>#*|]?[ \t]{0,40}\\{0,3}["'` + '`]?'

/** A line end, also as JSON, URLs and XML escape it, with the quotes of code around it. */
const LINE_END = String.raw`(?:[ \t]{0,40}(?:\\{0,3}["'${'`'}])?[ \t]{0,4}[+,.\\]?[ \t]{0,40}(?:\r?\n|(?:\\{1,4}r)?\\{1,4}n|\r)|%0[AaDd]|&#(?:10|13|x[aAdD]);)`

/** Between the lines of a key. One line end at least, unless spaces stand in its place. */
const BREAK = new RegExp(`(?:(?:${LINE_END}){1,8}(?:${LINE_START})| {1,8})`, 'y')

const END = /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y

/** Base64, with `/` as some encoders of JSON write it. */
const BASE64 = /(?:[A-Za-z0-9+/=]|\\\/){1,4000}/y

/** Headers of PEM (RFC 1421) and PGP (RFC 9580), and the note of a cut. */
const HEADER =
  /(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID|Content-Domain): [^\n\\]{0,200}|\[?\.{3}[^\]\n\\]{0,80}\]?|\[[^\]\n\\]{0,20}(?:omitted|truncated|cut|more)[^\]\n\\]{0,60}\])/iy

/**
 * The keys between labels, cut ones too. Only text of a key belongs to it, so that a mention of the label deletes
 * nothing.
 */
export const PEM_RULE: Rule = {
  hints: ['-----BEGIN '],
  isAnyCase: false,
  find(text, at) {
    BEGIN.lastIndex = at
    if (!BEGIN.test(text)) return []
    const end = endOfKey(text, BEGIN.lastIndex)
    return end === undefined ? [] : [{ start: at, end, kind: 'private-key' }]
  },
}

/** PuTTY's format has the number of lines in place of labels. */
export const PUTTY_RULE: Rule = {
  hints: ['Private-Lines: '],
  isAnyCase: false,
  find(text, at) {
    const start = /(?:\\{1,4}n|\n)/g
    start.lastIndex = at
    const match = start.exec(text.slice(0, at + 40))
    const end = match === null ? undefined : endOfKey(text, match.index)
    return match === null || end === undefined
      ? []
      : [{ start: match.index + match[0].length, end, kind: 'private-key' }]
  },
}

/** A key whose PEM was written as Base64 again, as in the settings of CI and of Kubernetes. */
export const ENCODED_KEY_RULE: Rule = {
  hints: ['LS0tLS1CRUdJTi'],
  isAnyCase: false,
  find(text, at): Secret[] {
    if (
      !Buffer.from(text.slice(at, at + 80), 'base64')
        .toString('latin1')
        .includes('PRIVATE KEY')
    )
      return []
    const end = endOf(BASE64, text, at)
    return [{ start: at, end, kind: 'private-key' }]
  },
}

/** Returns the end of a pattern that is repeated from here on; the same place if it does not match. */
function endOf(pattern: RegExp, text: string, at: number): number {
  let end = at
  for (pattern.lastIndex = end; pattern.test(text); pattern.lastIndex = end) end = pattern.lastIndex
  return end
}

function matchAt(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/** Returns the end of a closing label; its first hyphen may have been taken for the mark of a diff. */
const closingLabel = (text: string, at: number): number | undefined =>
  matchAt(END, text, at) ?? matchAt(END, text, Math.max(0, at - 1))

/**
 * Reads the lines of a key from the end of its label on.
 * @returns where its text ends, with the closing label; undefined if there is no text of a key
 */
function endOfKey(text: string, start: number): number | undefined {
  let end: number | undefined
  for (let at = start; ;) {
    const lineStart = endOf(BREAK, text, at)
    const closing = end === undefined ? undefined : closingLabel(text, lineStart)
    if (closing !== undefined) return closing
    const header = matchAt(HEADER, text, lineStart)
    const lineEnd = header ?? endOf(BASE64, text, lineStart)
    if (lineEnd === lineStart) return end
    const isKey = header === undefined
    if (isKey && !isKeyLine(text, lineStart, lineEnd)) return end
    if (isKey) end = lineEnd
    at = lineEnd
  }
}

/** Base64 is longer than words, or looks random, or ends the key. A word of prose is neither. */
function isKeyLine(text: string, start: number, end: number): boolean {
  if (end - start >= 24) return true
  const line = text.slice(start, end)
  if (closingLabel(text, endOf(BREAK, text, end)) !== undefined) return !/^[A-Z]?[a-z]+$/.test(line)
  const isAlone = /^(?:$|[\\"'`\s%&])/.test(text.slice(end, end + 1)) && !/^ {1,8}[a-z]/.test(text.slice(end, end + 9))
  return isAlone && line.length >= 2 && /\d|[+/=]|[a-z][A-Z]/.test(line)
}
