import { PATH_ARGUMENTS } from '../plan/read-file-operations.ts'
import type { ToolCallBlock } from '../session/message.ts'
import { replaceLoneSurrogates } from './replace-lone-surrogates.ts'
import { truncateMiddle } from './truncate-middle.ts'

/** How much of one string in a call's arguments is shown: a command whole, of a file that was written both ends. */
const MAX_STRING_CHARACTERS = 800

/** How much of one argument that is a list or an object is shown, as JSON. */
const MAX_NESTED_CHARACTERS = 2000

/** Arguments that name a file are never cut, since the agent needs the path as it is. */
const UNCUT = new Set<string>(PATH_ARGUMENTS)

/** Names that can stand in a call without quotes, since nothing in them can end it or begin another line. */
const PLAIN_NAME = /^[\p{L}\p{N}_.:/$@-]+$/u

/** Writes a call as `read(path="a.ts", limit=5)`; arguments that are no object as `name(JSON)`. It is always one line. */
export function serializeToolCall({ name, arguments: value }: ToolCallBlock): string {
  return `${nameOf(name)}(${isRecord(value) ? namedArguments(value) : argumentJson('', value)})`
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const namedArguments = (values: Record<string, unknown>): string =>
  Object.entries(values)
    .map(([key, value]) => `${nameOf(key)}=${argumentJson(key, value)}`)
    .join(', ')

const nameOf = (name: string): string => (PLAIN_NAME.test(name) ? name : oneLine(JSON.stringify(name)))

function argumentJson(key: string, value: unknown): string {
  const json = toJson(key, value)
  const isWhole = typeof value === 'string' || json.length <= MAX_NESTED_CHARACTERS
  // A list that is cut would be no JSON any more: it is shown as a string.
  return oneLine(isWhole ? json : JSON.stringify(truncateMiddle(json, MAX_NESTED_CHARACTERS)))
}

/** JSON has no line breaks but for two of Unicode's, which it leaves as they are. */
const oneLine = (json: string): string =>
  json.replace(/[\u2028\u2029]/g, (end) => (end === '\u2028' ? '\\u2028' : '\\u2029'))

function toJson(rootKey: string, value: unknown): string {
  // Most arguments are strings, and a replacer takes several times as long.
  if (typeof value === 'string') return JSON.stringify(shortenString(rootKey, value))
  const shorten = (key: string, inner: unknown): unknown =>
    typeof inner === 'string' ? shortenString(key === '' ? rootKey : key, inner) : inner
  try {
    return JSON.stringify(value, shorten)
  } catch {
    // Reading JSON has no limit of depth, writing it has the stack's.
    return '"(nested too deeply to be shown)"'
  }
}

function shortenString(key: string, text: string): string {
  const whole = replaceLoneSurrogates(text)
  return UNCUT.has(key) ? whole : truncateMiddle(whole, MAX_STRING_CHARACTERS)
}
