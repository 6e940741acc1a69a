import { findClose, findStringEnd } from '../text/json-scan.ts'
import { limitDepth } from './read-message.ts'

interface ParsedToolCall {
  name: string
  /** An object by argument name, or the single value that had no name. */
  arguments: unknown
}

/**
 * Reads the text of a tool calls block, `read(path="a.ts"); bash(command="npm test", timeout=5)`, tolerantly: values
 * are JSON; a value that is not JSON is read as a string; words around the calls are skipped; a call that is not closed
 * ends with the text. Never throws; linear.
 */
export function parseToolCalls(text: string): ParsedToolCall[] {
  const calls: ParsedToolCall[] = []
  for (let at = skipSeparators(text, 0); at < text.length; at = skipSeparators(text, at)) {
    const { name, end } = readName(text, at)
    if (name === '' || text[end] !== '(') {
      at = Math.max(end, at + 1)
      continue
    }
    const read = readArguments(text, end + 1)
    calls.push({ name, arguments: toArguments(read.values) })
    at = read.end
  }
  return calls
}

/** White space and the characters between calls and arguments. */
const SEPARATORS = /[\s;,]*/y

function skipSeparators(text: string, at: number): number {
  return at + (matchAt(SEPARATORS, text, at)?.[0].length ?? 0)
}

/** A word; it is a tool's name if a parenthesis follows. */
const WORD = /[^\s;,()="]+/y

function readName(text: string, at: number): { name: string; end: number } {
  if (text[at] !== '"') {
    const name = matchAt(WORD, text, at)?.[0] ?? ''
    return { name, end: at + name.length }
  }
  const end = findJsonEnd(text, at)
  return { name: readString(text.slice(at, end)), end }
}

type NamedValue = [key: string | undefined, value: unknown]

function readArguments(text: string, start: number): { values: NamedValue[]; end: number } {
  const values: NamedValue[] = []
  let at = skipSeparators(text, start)
  while (at < text.length && text[at] !== ')') {
    const { key, valueStart } = readKey(text, at)
    const valueEnd = findJsonEnd(text, valueStart)
    values.push([key, readValue(text.slice(valueStart, valueEnd))])
    // A delimiter follows a closed value directly; any text before it belongs to no value.
    at = findDelimiter(text, valueEnd)
    if (text[at] === ',') at = skipSeparators(text, at)
  }
  return { values, end: at + 1 }
}

/** An argument's name with its equals sign. */
const KEY = /([^\s;,()="'{}[\]]+)\s*=\s*/y

function readKey(text: string, at: number): { key: string | undefined; valueStart: number } {
  if (text[at] !== '"') {
    const match = matchAt(KEY, text, at)
    return { key: match?.[1], valueStart: at + (match?.[0].length ?? 0) }
  }
  const end = findJsonEnd(text, at)
  if (text[end] !== '=') return { key: undefined, valueStart: at }
  return { key: readString(text.slice(at, end)), valueStart: end + 1 }
}

/** Returns the text of a value that begins with a quote: it is no other value. */
function readString(raw: string): string {
  const value = readValue(raw)
  return typeof value === 'string' ? value : raw
}

function readValue(raw: string): unknown {
  const json = raw.trim()
  try {
    if (mayBeJson(json)) return limitDepth(JSON.parse(raw))
  } catch {
    // It is text, such as the beginning of a value that was cut off.
  }
  return json.replace(/^"|"$/g, '')
}

/** The beginnings of JSON values. */
const JSON_START = /^(?:["]|[[]\s*[\]["{\d\-tfn]|[{]\s*["}]|-?\d|true|false|null)/

/** Returns whether a text may be JSON. `JSON.parse` takes 10 µs to reject a text, and a transcript may have millions of values. */
const mayBeJson = (text: string): boolean => JSON_START.test(text) && (text.startsWith('"') ? isJsonString(text) : true)

/** Returns whether a text that begins with a quote is a JSON string, in which only some characters may be escaped. */
function isJsonString(text: string): boolean {
  if (text.length < 2 || !text.endsWith('"') || CONTROL.test(text)) return false
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at + 2))
    if (!ESCAPED.includes(text.charAt(at + 1)) || at + 1 === text.length - 1) return false
  return true
}

/** Control characters must be escaped in JSON. */
const CONTROL = /[^\P{Cc}\x7F-\x9F]/u

const ESCAPED = '"\\/bfnrtu'

/** Returns the one value that has no name, or an object in which the position replaces a missing name. */
function toArguments(values: NamedValue[]): unknown {
  const [first] = values
  if (values.length === 1 && first?.[0] === undefined) return first?.[1]
  return Object.fromEntries(values.map(([key, value], index) => [key ?? String(index), value]))
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/**
 * Finds the end of a JSON value without parsing it: strings and nesting are followed, any other value ends before a
 * comma or a closing parenthesis. A value that is not closed ends with the text. Linear, and not recursive.
 * @param start the index where the value begins
 * @returns the index after the value
 */
export function findJsonEnd(text: string, start: number): number {
  const first = text[start]
  if (first === '"') return findStringEnd(text, start)
  if (first !== '{' && first !== '[') return findDelimiter(text, start)
  return Math.min(findClose(text, start) + 1, text.length)
}

/** Returns the index of the next comma or closing parenthesis, or the length of the text. */
export function findDelimiter(text: string, start: number): number {
  const delimiter = /[,)]/g
  delimiter.lastIndex = start
  return delimiter.exec(text)?.index ?? text.length
}
