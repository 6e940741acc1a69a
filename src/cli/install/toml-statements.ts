import { parse, TomlError } from 'smol-toml'
import { lineOf, SettingsFault } from './settings-fault.ts'

/** A table as it stands in the text of a TOML file. */
export interface TableText {
  /** The keys of its name. */
  name: readonly string[]
  start: number
  /** After its last line with a key or its header: comments and blank lines behind it belong to what follows. */
  end: number
}

/** Returns the value of a document. @throws SettingsFault if it is no TOML */
export function valueOfToml(text: string): unknown {
  try {
    return parse(text.replace(/^\uFEFF/, ''), { integersAsBigInt: 'asNeeded' })
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause
    const [fault = ''] = cause.message.replace('Invalid TOML document: ', '').split('\n')
    throw new SettingsFault(fault, cause.line)
  }
}

/** Returns the tables of a file, in their order. */
export function tablesOf(text: string): TableText[] {
  const found: TableText[] = []
  for (const { kind, name, start, end } of statementsOf(text)) {
    const last = found.at(-1)
    if (kind === 'table') found.push({ name, start, end })
    else if (last !== undefined) last.end = end
  }
  return found
}

/** Returns the keys of a file, each with the name of its table. */
export function keysOf(text: string): { table: readonly string[]; key: readonly string[]; line: number }[] {
  let table: readonly string[] = []
  return statementsOf(text).flatMap(({ kind, name, start }) => {
    if (kind === 'key') return [{ table, key: name, line: lineOf(text, start) }]
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
  // What is read below is a document without a fault.
  valueOfToml(text)
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

/** Returns the index after a string of one or, with three quotation marks, of several lines. */
function endOfText(text: string, start: number): number {
  const mark = text[start] ?? ''
  const quotes = text.startsWith(mark.repeat(3), start) ? mark.repeat(3) : mark
  let index = start + quotes.length
  while (index < text.length && !text.startsWith(quotes, index)) {
    if (quotes.length === 1 && text[index] === '\n') break
    index += mark === '"' && text[index] === '\\' ? 2 : 1
  }
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
