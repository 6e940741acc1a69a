import type { AssistantMessage, ContentBlock, ToolCallBlock } from '../session/message.ts'
import type { BlockKind } from '../session/transcript.ts'
import { truncateMiddle } from '../text/truncate-middle.ts'
import { PATH_ARGUMENTS } from '../files/collect-files.ts'
import { replaceLoneSurrogates } from '../text/shorten.ts'

/** How much of one thinking block is shown: it is mostly detours, its beginning and its end tell the most. */
const MAX_THINKING_CHARACTERS = 1000

/** Providers put whole HTML pages into error messages. */
const MAX_ERROR_CHARACTERS = 1000

/** One labelled block of a transcript, before escaping. */
export interface LabelledText {
  kind: BlockKind
  text: string
}

/** JSON has no line breaks but for two of Unicode's, which it leaves as they are. */
const oneLine = (json: string): string =>
  json.replace(/[\u2028\u2029]/g, (end) => (end === '\u2028' ? '\\u2028' : '\\u2029'))

/** How much of one argument that is a list or an object is shown, as JSON. */
const MAX_NESTED_CHARACTERS = 2000

/** How much of one string in a call's arguments is shown: a command whole, of a file that was written both ends. */
const MAX_STRING_CHARACTERS = 800

/** Arguments that name a file are never cut, since the agent needs the path as it is. */
const UNCUT = new Set<string>(PATH_ARGUMENTS)

/** Names that can stand in a call without quotes, since nothing in them can end it or begin another line. */
const PLAIN_NAME = /^[\p{L}\p{N}_.:/$@-]+$/u

const nameOf = (name: string): string => (PLAIN_NAME.test(name) ? name : oneLine(JSON.stringify(name)))

const namedArguments = (values: Record<string, unknown>): string =>
  Object.entries(values)
    .map(([key, value]) => `${nameOf(key)}=${argumentJson(key, value)}`)
    .join(', ')

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const blocksOf = (message: AssistantMessage): LabelledText[] => [
  ...message.content.map(blockOf),
  { kind: 'assistant', text: stopNote(message) },
]

/** An assistant's message as blocks in the order of its content; neighbours of one kind become one block. */
export function serializeAssistant(message: AssistantMessage): LabelledText[] {
  const runs: { kind: BlockKind; texts: string[] }[] = []
  for (const { kind, text } of blocksOf(message)) {
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

/** Why a message stopped short; empty where it did not. */
function stopNote({ stopReason, errorMessage = '' }: AssistantMessage): string {
  if (stopReason !== 'error' && stopReason !== 'aborted') return ''
  const what = stopReason === 'error' ? 'stopped by an error' : 'aborted'
  return errorMessage.trim() === '' ? `(${what})` : `(${what}: ${truncateMiddle(errorMessage, MAX_ERROR_CHARACTERS)})`
}

/** Writes a call as `read(path="a.ts", limit=5)`; arguments that are no object as `name(JSON)`. It is always one line. */
export function serializeToolCall({ name, arguments: value }: ToolCallBlock): string {
  return `${nameOf(name)}(${isRecord(value) ? namedArguments(value) : argumentJson('', value)})`
}

function argumentJson(key: string, value: unknown): string {
  const json = toJson(key, value)
  const isWhole = typeof value === 'string' || json.length <= MAX_NESTED_CHARACTERS
  // A list that is cut would be no JSON any more: it is shown as a string.
  return oneLine(isWhole ? json : JSON.stringify(truncateMiddle(json, MAX_NESTED_CHARACTERS)))
}

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
