import type { Rule, Secret } from '../rule.ts'
import { lineIn } from '../scan.ts'
import { isCertainPassword } from '../values/passwords.ts'
import { BEFORE_ROW, secretIn } from './table-rules.ts'

const LINE_CHARACTERS = 400
const ROWS = 100

/** The heading of the values, alone in its column. */
const HEADING = /(?:VALUE|Value)(?: {2}|[ \t]{0,20}(?:\r?\n|$))/y

/** The headings before it, the first of which is that of the names. */
const HEADINGS_BEFORE = /^[ \t]{0,20}(?:name|key|output|variable|setting|property|parameter|option|field)\b.* {2}$/i

const NAME = /^ {0,20}(?<name>[\w./-]{1,80}) {2}/
const VALUE = /^[^\s"'\\]{4,200}(?= {2}|\s{0,20}$)/

/** Tables whose columns are aligned by blanks, with a column of names and one of values, as many commands print them. */
export const ALIGNED_RULE: Rule = {
  hints: ['VALUE', 'Value'],
  isAnyCase: false,
  find(text, at) {
    HEADING.lastIndex = at
    if (!text.startsWith('  ', at - 2) || !HEADING.test(text)) return []
    const head = text.slice(Math.max(0, at - LINE_CHARACTERS), at)
    const line = head.slice(head.lastIndexOf('\n') + 1)
    const before = BEFORE_ROW.exec(line)?.[0].length ?? 0
    if (!HEADINGS_BEFORE.test(line.slice(before))) return []
    return inRows(text, {
      from: at + lineIn(text.slice(at, at + LINE_CHARACTERS)).length,
      column: line.length - before,
    })
  },
}

/** Returns the secrets among the values that begin at a column, in the lines behind a place. */
function inRows(text: string, { from, column }: { from: number; column: number }): Secret[] {
  const secrets: Secret[] = []
  for (let next = from, row = 0; row < ROWS && text.charAt(next) === '\n'; row++) {
    const start = next + 1
    const line = lineIn(text.slice(start, start + LINE_CHARACTERS))
    next = start + line.length
    if (line.trim() === '') break
    const name = NAME.exec(line)?.groups?.['name']
    const value = VALUE.exec(line.slice(column))?.[0]
    if (name === undefined || value === undefined || line.charAt(column - 1) !== ' ' || !isCertainPassword(value))
      continue
    secrets.push(...secretIn({ start: start + column, text: value }, name))
  }
  return secrets
}
