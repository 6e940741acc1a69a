import type { Rule, Secret } from '../rule.ts'
import { lineIn } from '../scan.ts'
import { isCertainPassword } from '../values/passwords.ts'
import { kindOfValue } from './secret-names.ts'

/** The text between the cells of a row. */
const SEPARATORS: readonly RegExp[] = [/[|│┃]/, /\t/, /,/, /;/]
const [BAR, TAB] = SEPARATORS

/** The heading of a column that has secrets. */
const HEADING =
  /^(?:[\w.-]{1,30}[ _.-]|[\w-]{0,30})?(?:pass(?:word|wd|phrase|code)?|pwd|pw|psk|secret|token|(?:api|access|secret|private|auth|licen[cs]e|signing|encryption|master|deploy|unseal|recovery|account|application|admin|shared)[ _-]?key)s?(?: \(\w{1,20}\))?$/i

/** The heading of any column. */
const NAME = /^[\p{L}\d_ .()/#*-]{0,40}$/u

/** The columns of a table that PostgreSQL writes in full (the manual of `COPY`). */
const COPY = /^(?<head>COPY [^\n()]{1,100}\()(?<columns>[^\n()]{1,400})\) FROM stdin/i

/** The text before a row: the name of an argument, or a speaker. */
export const BEFORE_ROW = /^(?:.*\w=\\{0,3}["']|\[[A-Z][\w ]{0,30}\]: )?/

/** A line between rows: `|---|---|`, `+----+`. */
const RULE_LINE = /^[\s|+:=─━┼╪├┤┌┐└┘┬┴-]*$/

const LINE_CHARACTERS = 400

/** A table ends where so many rows have no secret; and it is read no further than this. */
const OTHER_ROWS = 5
const ROWS = 100

interface Cell {
  start: number
  text: string
}

/** A value alone in its cell. */
const ALONE = /^\s{0,100}\\{0,3}["'`]?(?<value>[^\s"'`\\|]{4,200})\\{0,3}["'`]?[\s)\]}]{0,100}$/

/** The values of a column whose heading says that they are secret, and of a row that begins so. */
export const TABLE_RULE: Rule = {
  hints: 'password|passwd|pwd|secret|token|api_key|api key|apikey|_key|_pass|psk|passphrase'.split('|'),
  isAnyCase: true,
  find(text, at) {
    if (!BEHIND_NAME.test(text.slice(at, at + 24))) return []
    if (text.startsWith('</t', at + (/^[\w ]{0,20}/.exec(text.slice(at, at + 20))?.[0].length ?? 0)))
      return inHtml(text, at)
    const line = lineAround(text, at)
    if (line === undefined) return []
    for (const separator of SEPARATORS) {
      const cells = cellsOf(line, separator)
      const column = cells.findLastIndex(({ start }) => start <= at)
      const name = nameIn(cells[column])
      if (!HEADING.test(name) || cells.filter((cell) => nameIn(cell) !== '').length < 2) continue
      const beside = separator === BAR || separator === TAB ? besideName(cells, column, name) : []
      if (beside.length > 0) return beside
      if (!cells.every((cell) => NAME.test(nameIn(cell)))) continue
      return inColumn(text, line.end, { column, count: cells.length, name, separator: line.isCopy ? TAB : separator })
    }
    return []
  },
}

/** Most names stand in code: a look behind them is enough. */
const BEHIND_NAME = /^[\w ]{0,20}(?:\(\w{0,20}\))?\\{0,3}["'`*]{0,2}[ ]{0,20}(?:[|│┃,;\t\n)]|<\/t|$)/

interface Line extends Cell {
  end: number
  isCopy: boolean
}

/** Returns the line around a place without what stands before its first cell; undefined if it is too long. */
function lineAround(text: string, at: number): Line | undefined {
  const head = text.slice(Math.max(0, at - LINE_CHARACTERS), at)
  const newline = head.lastIndexOf('\n')
  if (newline < 0 && at > LINE_CHARACTERS) return undefined
  const from = at - head.length + newline + 1
  const end = at + lineIn(text.slice(at, at + LINE_CHARACTERS)).length
  const whole = text.slice(from, end)
  const before = BEFORE_ROW.exec(whole.slice(0, at - from))?.[0].length ?? 0
  const row = whole.slice(before)
  const { head: copy = '', columns } = COPY.exec(row)?.groups ?? {}
  return { start: from + before + copy.length, text: columns ?? row, end, isCopy: columns !== undefined }
}

function cellsOf({ start, text }: Cell, separator: RegExp): Cell[] {
  let next = start
  return text.split(separator).map((cell) => {
    const at = next
    next += cell.length + 1
    return { start: at, text: cell }
  })
}

const nameIn = (cell: Cell | undefined): string =>
  (cell?.text ?? '-')
    .trim()
    .replace(/^(?:\\{0,3}["'`]|\*\*)/, '')
    .replace(/(?:\\{0,3}["'`]|\*\*)$/, '')

/** Returns the secret of a cell; none where it has other words too. */
export function secretIn(cell: Cell, name: string): Secret[] {
  const value = ALONE.exec(cell.text)?.groups?.['value'] ?? ''
  const kind = kindOfValue(value, { isQuoted: true, syntax: 'call', name: name.replaceAll(' ', '_') })
  if (kind === undefined) return []
  const start = cell.start + cell.text.indexOf(value)
  return [{ start, end: start + value.length, kind }]
}

/** Returns the secret of a row of two cells, the first of which is its name; of three, if the value is certain. */
function besideName(cells: readonly Cell[], column: number, name: string): Secret[] {
  // What closes the text in which a row stands fills no cell.
  const filled = cells.filter(({ text }) => !/^[\s"'\\)\]}]*$/.test(text))
  const value = cells[column + 1]
  const isAmong =
    filled.length === 2 || (filled.length === 3 && (name.includes('_') || isCertainPassword(nameIn(value))))
  const isVariable = /^[A-Z][A-Z\d]*_[A-Z\d_]+$/.test(name)
  if (value === undefined || !(isVariable || (isAmong && filled.at(-1) === value))) return []
  return secretIn(value, name)
}

interface Column {
  column: number
  /** The number of cells in each row. */
  count: number
  name: string
  separator: RegExp | undefined
}

function inColumn(text: string, from: number, { column, count, name, separator = /,/ }: Column): Secret[] {
  const secrets: Secret[] = []
  let others = 0
  for (let next = from, row = 0; row < ROWS && others < OTHER_ROWS; row++) {
    if (text.charAt(next) !== '\n') break
    const start = next + 1
    const line = { start, text: lineIn(text.slice(start, start + LINE_CHARACTERS)) }
    next = start + line.text.length
    if (line.text.trim() !== '' && RULE_LINE.test(line.text)) continue
    const cell = cellsOf(line, separator)
    const value = cell[column]
    if (cell.length !== count || value === undefined) break
    const found = secretIn(value, name)
    secrets.push(...found)
    others = found.length > 0 ? 0 : others + 1
  }
  return secrets
}

const HTML_CHARACTERS = 2_000

/** Returns the secrets of a table of HTML: in the cell behind a name, or below it. */
function inHtml(text: string, at: number): Secret[] {
  const head = text.slice(Math.max(0, at - LINE_CHARACTERS), at)
  const cellsBefore = head.slice(head.lastIndexOf('<tr') + 1).split(/<t[hd][\s>]/)
  const rest = text.slice(at, at + HTML_CHARACTERS)
  const name = rest.slice(0, rest.indexOf('<'))
  if (!HEADING.test((/[^<>]{0,40}$/.exec(head)?.[0] ?? '') + name)) return []
  const secrets: Secret[] = []
  let start = at
  for (const [index, row] of rest.split(/(?=<tr)/).entries()) {
    const cells = htmlCells({ start, text: row })
    start += row.length
    const value = index === 0 ? (cells.length === 1 ? cells[0] : undefined) : cells[cellsBefore.length - 2]
    if (value !== undefined) secrets.push(...secretIn(value, name))
  }
  return secrets
}

const htmlCells = ({ start, text }: Cell): Cell[] =>
  Array.from(
    text.matchAll(/<td(?:\s[^<>]{0,100})?>(?:<code>)?([^<>]{0,300})</g),
    ({ 0: all, 1: cell = '', index }) => ({
      start: start + index + all.length - 1 - cell.length,
      text: cell,
    }),
  )
