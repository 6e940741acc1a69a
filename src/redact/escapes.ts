import { parseJson } from '../session/entry.ts'
import type { Span } from './scan.ts'

/** The escapes of JSON (RFC 8259), and those that programs and shells have beside them. */
export const ESCAPE = /\\(?:["'\\/bfnrte]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|033)|"/g
const ESCAPED: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', e: '\u001b', '0': '\u001b' }

/** A quote without a backslash ends a string: what is in it is a text of its own. */
export function unescape(escape: string): string {
  if (escape === '"') return '\n'
  const sign = escape.charAt(1)
  if (sign === 'u' || sign === 'x') return String.fromCharCode(Number.parseInt(escape.slice(2), 16))
  return ESCAPED[sign] ?? sign
}

/** Returns a line without its escapes. */
export const unescapeLine = (line: string): string =>
  stringsOf(line)
    .map(({ start, end }) => unescapeString(line.slice(start, end)))
    .join('\n')

/** Returns the parts of a line before, between and behind its quotes without a backslash. */
export function stringsOf(line: string): Span[] {
  const strings: Span[] = []
  let start = 0
  for (let at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at + 1)) {
    let backslashes = 0
    while (at - backslashes > start && line.charCodeAt(at - backslashes - 1) === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 1) continue
    strings.push({ start, end: at })
    start = at + 1
  }
  return [...strings, { start, end: line.length }]
}

const BACKSLASH = 92

/** Returns a string without its escapes. What is JSON is read as such, which takes a fraction of the time. */
const unescapeString = (string: string): string =>
  string.includes('\\')
    ? ((parseJson(`"${string}"`) as string | undefined) ?? string.replace(ESCAPE, unescape))
    : string
