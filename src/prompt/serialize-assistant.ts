import type { AssistantMessage, ContentBlock, ToolCallBlock } from '../session/message.ts'
import type { BlockKind } from '../session/transcript.ts'
import { truncateMiddle } from '../text/shorten.ts'
import { isPathArgument } from '../files/collect-files.ts'
import { replaceLoneSurrogates } from '../text/shorten.ts'

/** How much of one thinking block is shown. Its beginning and its end have most of the information. */
const MAX_THINKING_CHARACTERS = 1000

/** How much of an error message is shown. Some providers put a whole HTML page into it. */
const MAX_ERROR_CHARACTERS = 1000

/** One labelled block of a transcript, before escaping. */
export interface LabelledText {
  kind: BlockKind
  text: string
}

/** How much of one argument that is a list or an object is shown, as JSON. */
const MAX_NESTED_CHARACTERS = 2000

/**
 * How much of one string in a call's arguments is shown: all of an ordinary command, and both ends of a written file.
 */
const MAX_STRING_CHARACTERS = 800

/** Returns an assistant's message as blocks in the order of its content; neighbours of one kind become one block. */
export function serializeAssistant(message: AssistantMessage): LabelledText[] {
  const runs: { kind: BlockKind; texts: string[] }[] = []
  for (const { kind, text } of [...message.content.map(blockOf), stopNote(message)]) {
    const run = runs.at(-1)
    if (text.trim() === '') continue
    if (run?.kind === kind) run.texts.push(text)
    else runs.push({ kind, texts: [text] })
  }
  return runs.map(({ kind, texts }) => ({ kind, text: texts.join(kind === 'toolCalls' ? '; ' : '\n') }))
}

function blockOf(block: ContentBlock): LabelledText {
  switch (block.type) {
    case 'text':
      return { kind: 'assistant', text: block.text }
    case 'image':
      return { kind: 'assistant', text: '[Image]' }
    case 'thinking':
      return { kind: 'thinking', text: truncateMiddle(block.thinking, MAX_THINKING_CHARACTERS) }
    case 'toolCall':
      return { kind: 'toolCalls', text: serializeToolCall(block) }
  }
}

/** Why a message stopped early; an empty text where it did not. */
function stopNote({ stopReason, errorMessage = '' }: AssistantMessage): LabelledText {
  if (stopReason !== 'error' && stopReason !== 'aborted') return { kind: 'assistant', text: '' }
  const what = stopReason === 'error' ? 'stopped by an error' : 'aborted'
  const why = errorMessage.trim() === '' ? '' : `: ${truncateMiddle(errorMessage, MAX_ERROR_CHARACTERS)}`
  return { kind: 'assistant', text: `(${what}${why})` }
}

/** Returns a call as one line, `read(path="a.ts", limit=5)`; arguments that are not an object as `name(JSON)`. */
export function serializeToolCall({ name, arguments: value }: ToolCallBlock): string {
  return `${writeName(name)}(${isRecord(value) ? writeArguments(value) : argumentJson('', value)})`
}

/** Names that need no quotes in a call: no character in them can end the call or begin another line. */
const PLAIN_NAME = /^[\p{L}\p{N}_.:/$@-]+$/u

const writeName = (name: string): string => (PLAIN_NAME.test(name) ? name : escapeLineEnds(JSON.stringify(name)))

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const writeArguments = (values: Record<string, unknown>): string =>
  Object.entries(values)
    .map(([key, value]) => `${writeName(key)}=${argumentJson(key, value)}`)
    .join(', ')

/** `JSON.stringify` escapes all line ends but these two of Unicode. */
const escapeLineEnds = (json: string): string =>
  json.replace(/[\u2028\u2029]/g, (end) => (end === '\u2028' ? '\\u2028' : '\\u2029'))

function argumentJson(key: string, value: unknown): string {
  const json = toJson(key, value)
  const isWhole = typeof value === 'string' || json.length <= MAX_NESTED_CHARACTERS
  // A list that is cut is not valid JSON any more: it is shown as a string.
  return escapeLineEnds(isWhole ? json : JSON.stringify(truncateMiddle(json, MAX_NESTED_CHARACTERS)))
}

function toJson(rootKey: string, value: unknown): string {
  // Most arguments are strings, and `JSON.stringify` with a replacer takes several times as long.
  if (typeof value === 'string') return JSON.stringify(shortenString(rootKey, value))
  const shorten = (key: string, inner: unknown): unknown =>
    typeof inner === 'string' ? shortenString(key === '' ? rootKey : key, inner) : inner
  try {
    return JSON.stringify(value, shorten)
  } catch {
    // `JSON.parse` reads any depth; `JSON.stringify` is limited by the stack.
    return '"(nested too deeply to be shown)"'
  }
}

function shortenString(key: string, text: string): string {
  const whole = replaceLoneSurrogates(text)
  return isPathArgument(key) ? whole : truncateMiddle(whole, MAX_STRING_CHARACTERS)
}
