import type { RawContentBlock, RawMessage, RawUsage } from '../../schemas/message.ts'
import { fieldsOf, isObject } from '../../session/entry.ts'
import { textOf } from '../apis/anthropic-blocks.ts'

type Fields = Readonly<Record<string, unknown>>

/** Parts of Gemini's API, split into what the messages of pi have. */
export interface SplitParts {
  /** Text, thinking, tool calls and images. */
  blocks: RawContentBlock[]
  results: Extract<RawMessage, { role: 'toolResult' }>[]
}

/** Joins calls and results without ids: a result answers the oldest call of its name that has no result yet. */
export class CallNames {
  #count = 0
  readonly #waiting = new Map<string, { ids: string[]; answered: number }>()

  /** Returns the id of a new call. */
  call(name: string): string {
    const id = `${name}:${this.#count++}`
    const calls = this.#waiting.get(name) ?? { ids: [], answered: 0 }
    calls.ids.push(id)
    this.#waiting.set(name, calls)
    return id
  }

  /** Returns the id of the call that a result answers; '' if there is none. */
  result(name: string): string {
    const calls = this.#waiting.get(name)
    return calls?.ids[calls.answered++] ?? ''
  }
}

/**
 * Reads parts of any kind, a single one, or a text.
 * @param names joins calls and results without ids
 */
export function readGeminiParts(content: unknown, names: CallNames): SplitParts {
  const split: SplitParts = { blocks: [], results: [] }
  const parts: unknown[] = Array.isArray(content) ? content : [content]
  for (const part of parts) readPart(typeof part === 'string' ? { text: part } : fieldsOf(part), split, names)
  return split
}

function readPart(part: Fields, { blocks, results }: SplitParts, names: CallNames): void {
  const text = textOf(part['text'])
  if (text !== '') blocks.push(part['thought'] === true ? { type: 'thinking', thinking: text } : { type: 'text', text })
  if (isObject(part['functionCall'])) {
    const { id, name, args } = fieldsOf(part['functionCall'])
    const toolName = textOf(name) || 'unknown'
    blocks.push({ type: 'toolCall', id: textOf(id) || names.call(toolName), name: toolName, arguments: args ?? {} })
  }
  if (isObject(part['functionResponse'])) results.push(readResponse(fieldsOf(part['functionResponse']), names))
  const { mimeType, data } = fieldsOf(part['inlineData'])
  if (textOf(mimeType).startsWith('image/')) blocks.push({ type: 'image', data, mimeType })
  const { fileUri } = fieldsOf(part['fileData'])
  if (textOf(fileUri) !== '') blocks.push({ type: 'text', text: `[File: ${textOf(fileUri)}]` })
  const { code } = fieldsOf(part['executableCode'])
  const { output } = fieldsOf(part['codeExecutionResult'])
  for (const shown of [code, output]) if (textOf(shown) !== '') blocks.push({ type: 'text', text: textOf(shown) })
}

function readResponse({ id, name, response }: Fields, names: CallNames): SplitParts['results'][number] {
  const { output, error, ...others } = fieldsOf(response)
  const rest = Object.keys(others).length === 0 ? '' : JSON.stringify(others)
  const text = withoutWrapper(textOf(error) || textOf(output) || (isObject(error) ? JSON.stringify(error) : rest))
  const exitCode = readExitCode(text)
  return {
    role: 'toolResult',
    toolCallId: textOf(id) || names.result(textOf(name)),
    toolName: textOf(name),
    content: text,
    ...((error ?? null) !== null || (exitCode ?? 0) !== 0 ? { isError: true } : {}),
    ...(exitCode === undefined ? {} : { details: { exitCode } }),
  }
}

const WRAPPER = '<untrusted_context>\n'
const WRAPPER_END = '\n</untrusted_context>'

/** Returns the output of a tool without the tags of Gemini CLI 0.61.0. */
const withoutWrapper = (text: string): string =>
  text.startsWith(WRAPPER) && text.endsWith(WRAPPER_END) ? text.slice(WRAPPER.length, -WRAPPER_END.length) : text

/** The line after the output of a command in Gemini CLI 0.61.0 and Qwen Code 0.24.4; a list of other facts follows it. */
const EXIT_CODE = /^Exit Code: (-?\d{1,10})$/
const EXIT_CODE_CHARACTERS = 500

function readExitCode(text: string): number | undefined {
  const line = text
    .slice(-EXIT_CODE_CHARACTERS)
    .split('\n')
    .findLast((one) => EXIT_CODE.test(one))
  return line === undefined ? undefined : Number(line.slice('Exit Code: '.length))
}

/** Texts that Gemini CLI and Qwen Code write in the user's role. */
const CLIENT_TEXTS = ['<session_context>', 'This is the Gemini CLI.', 'Please continue.', '<system-reminder>']
const MORE_CLIENT_TEXTS = ['Recently accessed file (full current content embedded):']

/** The text with which Gemini CLI adds a command that the user ran, and its output. */
const SHELL = 'I ran the following shell command:\n```sh\n'
const SHELL_OUTPUT = '\n```\n\nThis produced the following result:\n```\n'

function readShell(blocks: readonly RawContentBlock[]): RawMessage | undefined {
  const text = blocks.length === 1 ? textOf(blocks[0]?.['text']) : ''
  const at = text.startsWith(SHELL) ? text.indexOf(SHELL_OUTPUT) : -1
  if (at < 0) return undefined
  const output = text
    .slice(at + SHELL_OUTPUT.length)
    .trimEnd()
    .replace(/\n```$/, '')
  return { role: 'bashExecution', command: text.slice(SHELL.length, at), output }
}

/** Between these lines are the files that the user's message names with `@`. */
const FILES_START = '--- Content from referenced files ---'
const FILES_END = '--- End of content ---'

/** Returns the messages of a turn of the user: its own content, without what the client wrote. */
export function readGeminiUser(blocks: readonly RawContentBlock[]): RawMessage[] {
  const shell = readShell(blocks)
  if (shell !== undefined) return [shell]
  const own: RawContentBlock[] = []
  const files: RawContentBlock[] = []
  let isInFiles = false
  // The client writes the end once, after all files: an end before it belongs to a file.
  const lastEnd = blocks.findLastIndex((block) => textOf(block['text']).trim() === FILES_END)
  for (const [index, block] of blocks.entries()) {
    const text = textOf(block['text'])
    if (isClients(text)) continue
    const at = isInFiles ? 0 : text.indexOf(FILES_START)
    if (at < 0) own.push(block)
    else {
      isInFiles = index < lastEnd
      const before = text.slice(0, at)
      if (before.trim() !== '') own.push({ type: 'text', text: before.trimEnd() })
      files.push(block.type === 'text' ? { type: 'text', text: text.slice(at) } : block)
    }
  }
  return [
    ...(own.length === 0 ? [] : [{ role: 'user' as const, content: own }]),
    ...(files.length === 0 ? [] : [{ role: 'custom' as const, content: files }]),
  ]
}

const isClients = (text: string): boolean =>
  [...CLIENT_TEXTS, ...MORE_CLIENT_TEXTS].some((start) => text.trimStart().startsWith(start))

/** Returns the token counts of Gemini's API, or those that Gemini CLI writes. */
export function readGeminiUsage(usage: unknown): { usage?: RawUsage } {
  if (!isObject(usage)) return {}
  const count = (...names: string[]): number => {
    const found = names.map((name) => usage[name]).find((value) => typeof value === 'number')
    return typeof found === 'number' ? found : 0
  }
  const cacheRead = count('cachedContentTokenCount', 'cached')
  const input = Math.max(0, count('promptTokenCount', 'input') - cacheRead)
  const output = count('candidatesTokenCount', 'output') + count('thoughtsTokenCount', 'thoughts')
  return { usage: { input, output, cacheRead } }
}

/** The model's answer to a summary in its prompt, which is there because the roles of contents must alternate. */
export const SNAPSHOT_ACKNOWLEDGEMENT = 'Got it. Thanks for the additional context!'

/** Returns whether contents are only the model's answer to a summary. */
export const isAcknowledgement = (blocks: readonly RawContentBlock[]): boolean =>
  blocks.length === 1 && textOf(blocks[0]?.['text']).trim() === SNAPSHOT_ACKNOWLEDGEMENT
