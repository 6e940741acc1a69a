import type { Secret } from './rule.ts'
import { endOfRun } from './scan.ts'

/** How often a text may be encoded: JSON in an address in JSON. */
const MAX_DEPTH = 3

type Find = (text: string) => Secret[]

/**
 * Returns the secrets of a text, and those that only its form hides: colours inside names and values, line ends of Windows
 * and lines that a shell joins, strings of JSON (`\"password\": \"x\"\r\n`), and percent encoding (RFC 3986:
 * `%22password%22%3A%22x%22`). Rules need to know none of them. Each encoded part is decoded and searched once.
 * @param find finds the secrets of a text as it is
 */
export function findInForms(text: string, find: Find, depth = 0): Secret[] {
  // Most names, keys and paths have none of these: a look at them is enough.
  if (!/[\\\r\u001b→\t$%]/.test(text)) return find(text)
  const form = { text, pattern: LINE_NUMBER, read: '\n' }
  return text.includes('→') || text.includes('1\t')
    ? findRead(form, (plain) => findWithoutSigns(plain, find, depth))
    : findWithoutSigns(text, find, depth)
}

/** What tools that read files write before a line. It is removed first, since a pattern with other signs takes longer. */
const LINE_NUMBER = /(?:^|\n) {0,8}\d{1,6}(?:→|(?<= \d{1,6})\t)/g

function findWithoutSigns(text: string, find: Find, depth: number): Secret[] {
  const pattern = signsOf(text)
  if (pattern === undefined) return findInParts(text, find, depth)
  return findRead({ text, pattern, read: '' }, (plain) => findInParts(plain, find, depth))
}

function findInParts(text: string, find: Find, depth: number): Secret[] {
  const secrets = find(text)
  if (depth === MAX_DEPTH) return secrets
  for (const { start, ...form } of [...percentParts(text), ...escapedLines(text)]) {
    const found = findRead(form, (part) => findInForms(part, find, depth + 1))
    for (const one of found) secrets.push({ ...one, start: start + one.start, end: start + one.end })
  }
  return secrets
}

/** A text, and how it is read: each match of a pattern stands for one unit or none. */
interface Form {
  text: string
  pattern: RegExp
  read: string | ((sign: string) => string)
}

/** What programs add to texts, and rules need not know: a mark that is found fast, and its form. */
const SIGNS: readonly [mark: string, form: string][] = [
  // Colours and other sequences of terminals (ECMA-48), also escaped.
  ['\u001b[', String.raw`\u001b\[[\d;?]{0,20}[A-Za-z]`],
  ['\\', String.raw`\\{1,8}(?:u001b|x1b|e|033)\[[\d;?]{0,20}[A-Za-z]`],
  // Line ends of Windows.
  ['\r\n', String.raw`\r(?=\n)`],
  // A line end behind which a command goes on (bash(1), "Escape Character").
  ['\\\n', String.raw`\\\n[ \t]{0,80}(?<=[ \t]\\[^\\]{1,90})`],
  ['\\\r\n', String.raw`\\\r\n[ \t]{0,80}(?<=[ \t]\\[^\\]{1,90})`],
  // The line ends of `cat -A`, where the line before or behind has one too.
  ['$\n', String.raw`(?:\^M)?\$(?=\n[^\n]{0,400}\$(?:\n|$))|(?:\^M)?\$(?=\n)(?<=\$\n[^\n]{0,400}\$)`],
]

const patterns = new Map<string, RegExp>()

/** Returns a pattern of the signs that a text may have; undefined if it has none. */
function signsOf(text: string): RegExp | undefined {
  let source = ''
  for (const [mark, form] of SIGNS) if (text.includes(mark)) source += source === '' ? form : `|${form}`
  if (source === '') return undefined
  const pattern = patterns.get(source) ?? new RegExp(source, 'g')
  patterns.set(source, pattern)
  return pattern
}

/** Returns the secrets of a text as it reads, at their places in the text as it is written. */
function findRead({ text, pattern, read }: Form, find: Find): Secret[] {
  // With a text in place of a function, it takes a fraction of the time.
  const plain = typeof read === 'string' ? text.replace(pattern, read) : text.replace(pattern, read)
  const secrets = find(plain)
  if (secrets.length === 0 || plain === text) return secrets
  const edits = editsOf({ text, pattern, read })
  return secrets.map((secret) => ({
    value: plain.slice(secret.start, secret.end),
    ...secret,
    start: secret.start + shiftBefore(edits, ({ end }) => end <= secret.start),
    end: secret.end + shiftBefore(edits, ({ start }) => start < secret.end),
  }))
}

/** A match: where what it stands for begins and ends in what is read, and how much longer the text is up to there. */
interface Edit {
  start: number
  end: number
  shift: number
}

function editsOf({ text, pattern, read }: Form): Edit[] {
  let shift = 0
  return Array.from(text.matchAll(pattern), ({ 0: sign, index }) => {
    const start = index - shift
    const unit = typeof read === 'string' ? read : read(sign)
    shift += sign.length - unit.length
    return { start, end: start + unit.length, shift }
  })
}

/** Returns how much longer the text is up to the last edit that a condition holds for: those before it fulfil it too. */
function shiftBefore(edits: readonly Edit[], isBefore: (edit: Edit) => boolean): number {
  let [least, count] = [0, edits.length]
  while (least < count) {
    const middle = (least + count) >> 1
    if (isBefore(edits[middle] as Edit)) least = middle + 1
    else count = middle
  }
  return edits[least - 1]?.shift ?? 0
}

interface Part extends Form {
  start: number
}

const CODE = /%[0-9A-Fa-f]{2}/g

/** The sign of a variable of Windows, `%DB_PASSWORD%`, or of a format. */
const OTHER_PERCENT = /%(?![0-9A-Fa-f]{2})/

/** What encoded text has beside its codes: no blank, quote or bracket. */
const RUN = /[^\s"'`<>[\]\\]{1,10000}/y
const IN_RUN = /[^\s"'`<>[\]\\]/

function percentParts(text: string): Part[] {
  const parts: Part[] = []
  // A pattern would take several times as long to find the first sign.
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at)) {
    let start = at
    while (start > 0 && IN_RUN.test(text.charAt(start - 1))) start -= 1
    at = endOfRun(RUN, text, at)
    const run = text.slice(start, at)
    if (!OTHER_PERCENT.test(run)) parts.push({ start, text: spaced(run), pattern: CODE, read: readCode })
  }
  return parts
}

/** In a form, a blank is `+`. */
const spaced = (run: string): string => (run.includes('BEGIN+') ? run.replaceAll('+', ' ') : run)
const readCode = (code: string): string => String.fromCharCode(Number.parseInt(code.slice(1), 16))

/** Returns a text without its percent encoding, each byte as one unit. */
export const decodePercent = (run: string): string => spaced(run).replaceAll(CODE, readCode)

/** The escapes of JSON (RFC 8259), and those that programs and shells have beside them. */
const ESCAPE = /\\(?:["'\\/bfnrte]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|033)|"/g
const ESCAPED: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', e: '\u001b', '0': '\u001b' }

/** Returns the lines with an escaped line end, quote or sign in them. */
function escapedLines(text: string): Part[] {
  const lines: Part[] = []
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at)) {
    if (!'"nu'.includes(text.charAt(at + 1) || ' ')) {
      at += 2
      continue
    }
    const start = text.lastIndexOf('\n', at) + 1
    const newline = text.indexOf('\n', at)
    at = newline < 0 ? text.length : newline
    lines.push({ start, text: text.slice(start, at), pattern: ESCAPE, read: unescape })
  }
  return lines
}

/** A quote without a backslash ends a string: what is in it is a text of its own. */
function unescape(escape: string): string {
  if (escape === '"') return '\n'
  const sign = escape.charAt(1)
  if (sign === 'u' || sign === 'x') return String.fromCharCode(Number.parseInt(escape.slice(2), 16))
  return ESCAPED[sign] ?? sign
}
