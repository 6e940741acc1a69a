import { firstIndex } from '../text/first-index.ts'
import { ESCAPE, stringsOf, unescape, unescapeLine } from './escapes.ts'
import type { Find, Secret } from './rule.ts'
import { endOfRun, type Span } from './scan.ts'

/** How often a text may be encoded: JSON in an address in JSON. */
const MAX_DEPTH = 3

/** A part of a text, and how it is read: each match of a pattern stands for one unit or none. */
interface Form {
  text: string
  pattern: RegExp
  read: string | ((sign: string) => string)
  /** Returns what the text reads as, faster than by its pattern. */
  decode?: (text: string) => string
}

/**
 * Returns the secrets of a text, and those that only its form hides: colours inside names and values, line ends of Windows
 * and lines that a shell joins, strings of JSON (`\"password\": \"x\"\r\n`), and percent encoding (RFC 3986:
 * `%22password%22%3A%22x%22`). Rules need to know none of them. Each encoded part is decoded and searched once.
 * @param find finds the secrets of a text as it is
 */
export function findInForms(text: string, find: Find, depth = 0): Secret[] {
  // Most names, keys and paths have none of these: a look at them is enough.
  if (!/[\\\r\u001b→\t$%]/.test(text)) return find(text)
  const withoutSigns = (plain: string): Secret[] => {
    const pattern = signsOf(plain)
    if (pattern === undefined) return findInParts(plain, find, depth)
    return findRead({ text: plain, pattern, read: '' }, (one) => findInParts(one, find, depth))
  }
  const isNumbered = text.includes('→') || text.includes('1\t')
  return isNumbered ? findRead({ text, pattern: LINE_NUMBER, read: '\n' }, withoutSigns) : withoutSigns(text)
}

/** The text that tools write before a line of a file. It is removed first, since a pattern with other signs takes longer. */
const LINE_NUMBER = /(?:^|\n) {0,8}\d{1,6}(?:→|(?<= \d{1,6})\t)/g

function findInParts(text: string, find: Find, depth: number): Secret[] {
  if (depth === MAX_DEPTH) return find(text)
  const lines = escapedLines(text)
  const secrets = find(text, withoutLongStrings(text, lines))
  for (const { start, ...form } of [...percentParts(text), ...lines]) {
    const found = findRead(form, (part) => findInForms(part, find, depth + 1))
    for (const one of found) secrets.push({ ...one, start: start + one.start, end: start + one.end })
  }
  return secrets
}

/** Signs that programs add to texts, and that rules need not know: marks that are found fast, and the form of one. */
const SIGNS: readonly [marks: readonly string[], form: string][] = [
  // Colours and other sequences of terminals (ECMA-48), also escaped.
  [['\u001b['], String.raw`\u001b\[[\d;?]{0,20}[A-Za-z]`],
  [['\\'], String.raw`\\{1,8}(?:u001b|x1b|e|033)\[[\d;?]{0,20}[A-Za-z]`],
  // Links of terminals (OSC 8).
  [['\u001b]8;'], String.raw`\u001b\]8;[^\u0007\u001b\n]{0,400}(?:\u0007|\u001b\\)`],
  // Line ends of Windows.
  [['\r\n'], String.raw`\r(?=\n)`],
  // A line end behind which a command goes on (bash(1), "Escape Character").
  [['\\\n', '\\\r\n'], String.raw`\\\r?\n[ \t]{0,80}(?<=[ \t]\\[^\\]{1,90})`],
  // The line ends of `cat -A`, where the line before or behind has one too.
  [['$\n'], String.raw`(?:\^M)?\$(?=\n[^\n]{0,400}\$(?:\n|$))|(?:\^M)?\$(?=\n)(?<=\$\n[^\n]{0,400}\$)`],
]

const patterns = new Map<string, RegExp>()

/** Returns a pattern of the signs that a text may have; undefined if it has none. */
function signsOf(text: string): RegExp | undefined {
  const forms = SIGNS.flatMap(([marks, form]) => (marks.some((mark) => text.includes(mark)) ? [form] : []))
  if (forms.length === 0) return undefined
  const source = forms.join('|')
  const pattern = patterns.get(source) ?? new RegExp(source, 'g')
  patterns.set(source, pattern)
  return pattern
}

/** Returns the secrets of a text as it reads, at their places in the text as it is written. */
function findRead(form: Form, find: Find): Secret[] {
  const { text, pattern, read, decode } = form
  // With a text in place of a function, `replace` takes a fraction of the time.
  const replaced = (): string => (typeof read === 'string' ? text.replace(pattern, read) : text.replace(pattern, read))
  const plain = decode?.(text) ?? replaced()
  const secrets = find(plain)
  if (secrets.length === 0 || plain === text) return secrets
  const edits = editsOf(form)
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
const shiftBefore = (edits: readonly Edit[], isBefore: (edit: Edit) => boolean): number =>
  edits[firstIndex(edits.length, (at) => isBefore(edits[at] as Edit)) - 1]?.shift ?? 0

interface Part extends Form {
  start: number
}

const CODE = /%[0-9A-Fa-f]{2}/g

/** The sign of a variable of Windows, `%DB_PASSWORD%`, or of a format. */
const OTHER_PERCENT = /%(?![0-9A-Fa-f]{2})/

/** Encoded text beside its codes: no blank, quote or bracket. */
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

/** Returns the lines with an escaped line end, quote, sign or slash in them. */
function escapedLines(text: string): Part[] {
  const lines: Part[] = []
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at)) {
    if (!'"nu/'.includes(text.charAt(at + 1) || ' ')) {
      at += 2
      continue
    }
    const start = text.lastIndexOf('\n', at) + 1
    const newline = text.indexOf('\n', at)
    at = newline < 0 ? text.length : newline
    lines.push({ start, text: text.slice(start, at), pattern: ESCAPE, read: unescape, decode: unescapeLine })
  }
  return lines
}

/** A string of so many characters is a document: it is searched only as it reads, except for its ends. */
const DOCUMENT_CHARACTERS = 4_000
const END_CHARACTERS = 1_000

/** Returns the parts of a text that are searched as they are written. */
function withoutLongStrings(text: string, lines: readonly Part[]): Span[] {
  const parts: Span[] = []
  let from = 0
  for (const { start: lineStart, text: line } of lines) {
    if (line.length < DOCUMENT_CHARACTERS) continue
    for (const { start, end } of stringsOf(line)) {
      if (end - start < DOCUMENT_CHARACTERS) continue
      parts.push({ start: from, end: lineStart + start + END_CHARACTERS })
      from = lineStart + end - END_CHARACTERS
    }
  }
  return [...parts, { start: from, end: text.length }]
}
