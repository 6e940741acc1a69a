import type { TomlTable } from '../../agents/install-target.ts'
import { WrongShapeError } from './edit-json.ts'

/**
 * Tables in the text of a TOML file (https://toml.io/en/v1.0.0). No package that is kept up changes such a file and leaves the rest
 * as it is, so a table is added at the end, where it is valid in every file that has none of its name, and removed by its lines.
 */

interface TableText {
  /** The keys of its name. */
  name: readonly string[]
  start: number
  /** After its last line with a key or its header: comments and blank lines behind it belong to what follows. */
  end: number
}

/** Returns whether the file has exactly this table. */
export function hasTable(text: string, name: readonly string[], table: TomlTable): boolean {
  const found = tablesOf(text).find((one) => isSame(one.name, name))
  return (
    found !== undefined && linesOf(text.slice(found.start, found.end)).join('\n') === writeTable(name, table).join('\n')
  )
}

/**
 * Returns the text with a table, instead of one with its name.
 * @throws WrongShapeError if the name is defined in another way
 */
export function setTable(text: string, name: readonly string[], table: TomlTable): string {
  refuseOtherForms(text, name)
  const lines = writeTable(name, table)
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const found = tablesOf(text).find((one) => isSame(one.name, name))
  if (found !== undefined) return text.slice(0, found.start) + lines.join(eol) + text.slice(found.end)
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol
  return `${text}${gap}${lines.join(eol)}${eol}`
}

/** Returns the text without a table and the tables below it. */
export function removeTable(text: string, name: readonly string[]): string {
  const found = tablesOf(text).findLast((one) => isSame(one.name.slice(0, name.length), name))
  if (found === undefined) return text
  const before = text.slice(0, found.start)
  const after = text.slice(found.end).replace(/^\r?\n/, '')
  // The blank line that was written before it.
  const rest = after === '' || /^\r?\n/.test(after) ? before.replace(/(?<=\n)\r?\n$/, '') + after : before + after
  return removeTable(rest, name)
}

const isSame = (a: readonly string[], b: readonly string[]): boolean => a.join('\0') === b.join('\0')

function writeTable(name: readonly string[], table: TomlTable): string[] {
  const header = name.map((key) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key))).join('.')
  // A JSON string is a basic string of TOML, but for the character 0x7F.
  return [`[${header}]`, ...Object.entries(table).map(([key, value]) => `${key} = ${writeValue(value)}`)]
}

const writeValue = (value: TomlTable[string]): string =>
  typeof value === 'object' ? `[${value.map((one) => JSON.stringify(one)).join(', ')}]` : JSON.stringify(value)

const linesOf = (text: string): string[] => text.split(/\r?\n/).map((line) => line.trimEnd())

/** A name can also be a key with a value, such as `mcp_servers.precis = {...}`. */
function refuseOtherForms(text: string, name: readonly string[]): void {
  for (const { table, key, line } of keysOf(text)) {
    const whole = [...table, ...key]
    const isInTable = isSame(table.slice(0, name.length), name)
    if (!isInTable && (isSame(whole.slice(0, name.length), name) || isSame(name.slice(0, whole.length), whole)))
      throw new WrongShapeError(`line ${line} defines ${whole.join('.')} as a value, and not as a table`)
  }
}

function tablesOf(text: string): TableText[] {
  const found: TableText[] = []
  for (const { kind, name, start, end } of statementsOf(text)) {
    const last = found.at(-1)
    if (kind === 'table') found.push({ name, start, end })
    else if (last !== undefined) last.end = end
  }
  return found
}

function keysOf(text: string): { table: readonly string[]; key: readonly string[]; line: number }[] {
  let table: readonly string[] = []
  return statementsOf(text).flatMap(({ kind, name, start }) => {
    if (kind === 'key') return [{ table, key: name, line: text.slice(0, start).split('\n').length }]
    table = name
    return []
  })
}

interface Statement {
  kind: 'table' | 'key'
  name: readonly string[]
  start: number
  end: number
}

/** Returns the headers and the keys of a file. A value may have several lines. */
function statementsOf(text: string): Statement[] {
  const found: Statement[] = []
  let index = text.startsWith('\uFEFF') ? 1 : 0
  while (index < text.length) {
    index += /^[ \t\r\n]*/.exec(text.slice(index, index + 1000))?.[0].length ?? 0
    if (index >= text.length) break
    const start = index
    if (text[start] === '#') index = endOfLine(text, start)
    else if (/\s/.test(text[start] ?? '')) continue
    else {
      index = endOfStatement(text, start)
      const kind = text[start] === '[' ? 'table' : 'key'
      found.push({ kind, name: nameAt(text.slice(start, index)), start, end: index })
    }
  }
  return found
}

const endOfLine = (text: string, from: number): number => {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : text[end - 1] === '\r' ? end - 1 : end
}

/** Returns the index of the line end after a statement, with the comment behind it. */
function endOfStatement(text: string, start: number): number {
  let depth = 0
  for (let index = start; index < text.length; index++) {
    const character = text[index] ?? ''
    if (character === '"' || character === "'") index = endOfText(text, index) - 1
    else if (character === '#') index = endOfLine(text, index) - 1
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    else if (character === '\n' && depth <= 0) return text[index - 1] === '\r' ? index - 1 : index
  }
  return text.length
}

/** Returns the index after a string of one or, with three quotation marks, of several lines. @throws WrongShapeError without an end */
function endOfText(text: string, start: number): number {
  const mark = text[start] ?? ''
  const quotes = text.startsWith(mark.repeat(3), start) ? mark.repeat(3) : mark
  let index = start + quotes.length
  while (index < text.length && !text.startsWith(quotes, index)) {
    if (quotes.length === 1 && text[index] === '\n') break
    index += mark === '"' && text[index] === '\\' ? 2 : 1
  }
  if (!text.startsWith(quotes, index))
    throw new WrongShapeError(`the text that begins in line ${text.slice(0, start).split('\n').length} has no end`)
  index += quotes.length
  // Up to two quotation marks may be before the closing ones.
  while (quotes.length === 3 && text[index] === mark) index += 1
  return index
}

/** Returns the keys with which a statement begins: `[a."b.c"]` or `a."b.c" = 1`. */
function nameAt(statement: string): string[] {
  const keys: string[] = []
  let rest = statement.replace(/^\[{1,2}/, '')
  for (;;) {
    const [part = '', basic, literal, bare] =
      /^[ \t]*(?:("(?:[^"\\\n]|\\.)*")|'([^'\n]*)'|([\w-]+))[ \t]*/.exec(rest) ?? []
    if (part === '') return keys
    keys.push(basic === undefined ? (literal ?? bare ?? '') : unquote(basic))
    rest = rest.slice(part.length)
    if (!rest.startsWith('.')) return keys
    rest = rest.slice(1)
  }
}

function unquote(basic: string): string {
  try {
    return JSON.parse(basic) as string
  } catch {
    return basic.slice(1, -1)
  }
}
