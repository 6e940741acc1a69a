import type { TomlTable } from '../../agents/install-target.ts'
import { valueAt } from './edit-json.ts'
import { lineEndOf } from './json-layout.ts'
import { lineOf, SettingsFault } from './settings-fault.ts'
import { keysOf, tablesOf, valueOfToml, type TableText } from './toml-statements.ts'

/**
 * Tables in the text of a TOML file (https://toml.io/en/v1.0.0). No package that is kept up changes such a file and leaves the rest
 * as it is, so a table is added at the end, where it is valid in every file that has none of its name, and removed by its lines.
 */

/** Returns whether the file has exactly this table. */
export function hasTable(text: string, name: readonly string[], table: TomlTable): boolean {
  const found = tablesOf(text).find((one) => isSame(one.name, name))
  return (
    found !== undefined && linesOf(text.slice(found.start, found.end)).join('\n') === writeTable(name, table).join('\n')
  )
}

/** Returns the values of a table; undefined if there is none. */
export const valuesOfTable = (text: string, name: readonly string[]): unknown => valueAt(valueOfToml(text), name)

/** Returns the text of a table with the tables below it; undefined if there is none. @throws SettingsFault if others are between them */
export function tableText(text: string, name: readonly string[]): string | undefined {
  const range = rangeOf(text, name)
  return range && text.slice(...range)
}

/** Returns the text with the text of a table, and of those below it, instead of what it has of them. */
export function replaceTable(text: string, name: readonly string[], lines: string): string {
  const range = rangeOf(text, name)
  if (range !== undefined) return text.slice(0, range[0]) + lines + text.slice(range[1])
  const eol = lineEndOf(text)
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol
  return `${text}${gap}${lines}${eol}`
}

/** Returns where a table is with those below it. */
function rangeOf(text: string, name: readonly string[]): [start: number, end: number] | undefined {
  const tables = tablesOf(text)
  const isOf = (one: TableText): boolean => isSame(one.name.slice(0, name.length), name)
  const [first, last] = [tables.findIndex(isOf), tables.findLastIndex(isOf)]
  const [start, end] = [tables[first]?.start, tables[last]?.end]
  if (start === undefined || end === undefined) return undefined
  const other = tables.slice(first, last).find((one) => !isOf(one))
  if (other === undefined) return [start, end]
  throw new SettingsFault(
    `[${headerOf(other.name)}] is between [${headerOf(name)}] and the tables below it`,
    lineOf(text, other.start),
  )
}

/**
 * Returns the text with a table, instead of one with its name and those below it.
 * @throws SettingsFault if the name is defined in another way
 */
export function setTable(text: string, name: readonly string[], table: TomlTable): string {
  refuseOtherForms(text, name)
  return replaceTable(text, name, writeTable(name, table).join(lineEndOf(text)))
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

const headerOf = (name: readonly string[]): string =>
  name.map((key) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key))).join('.')

function writeTable(name: readonly string[], table: TomlTable): string[] {
  // A JSON string is a basic string of TOML, but for the character 0x7F.
  return [`[${headerOf(name)}]`, ...Object.entries(table).map(([key, value]) => `${key} = ${writeValue(value)}`)]
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
      throw new SettingsFault(`${whole.join('.')} is defined as a value, and not as a table`, line)
  }
}
