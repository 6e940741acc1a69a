import { fieldsOf, isObject } from '../../session/entry.ts'
import {
  textBlocks,
  type ContentBlock,
  type Message,
  type ToolResultMessage,
  type Usage,
} from '../../session/message.ts'
import {
  blockText,
  clientMessages,
  fileNote,
  imageBlock,
  thinkingBlocks,
  toolCall,
  toolResult,
} from '../shared/messages.ts'
import { asText, type Fields } from '../shared/values.ts'

/** Parts of Gemini's API, split into what the messages of pi have. */
interface SplitParts {
  /** Text, thinking, tool calls and images. */
  blocks: ContentBlock[]
  results: ToolResultMessage[]
}

/** Joins calls and results without ids: a result answers the oldest call of its name that has no result yet. */
export class CallNames {
  #count = 0
  readonly #waiting = new Map<string, { ids: string[]; answered: number }>()

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
  const text = asText(part['text'])
  blocks.push(...(part['thought'] === true ? thinkingBlocks(text) : textBlocks(text)))
  if (isObject(part['functionCall'])) {
    const { id, name, args } = fieldsOf(part['functionCall'])
    const toolName = asText(name) || 'unknown'
    blocks.push(toolCall(asText(id) || names.call(toolName), toolName, args))
  }
  if (isObject(part['functionResponse'])) results.push(readResponse(fieldsOf(part['functionResponse']), names))
  const { mimeType, data } = fieldsOf(part['inlineData'])
  if (asText(mimeType).startsWith('image/')) blocks.push(imageBlock({ data, mimeType }))
  const { fileUri } = fieldsOf(part['fileData'])
  if (asText(fileUri) !== '') blocks.push(fileNote(fileUri))
  const { code } = fieldsOf(part['executableCode'])
  const { output } = fieldsOf(part['codeExecutionResult'])
  blocks.push(...textBlocks(code), ...textBlocks(output))
}

function readResponse({ id, name, response }: Fields, names: CallNames): ToolResultMessage {
  const { output, error, ...others } = fieldsOf(response)
  const rest = Object.keys(others).length === 0 ? '' : JSON.stringify(others)
  const text = withoutWrapper(asText(error) || asText(output) || (isObject(error) ? JSON.stringify(error) : rest))
  const exitCode = readExitCode(text)
  const isError = (error ?? null) !== null || (exitCode ?? 0) !== 0 || undefined
  return toolResult(asText(id) || names.result(asText(name)), text, { name, isError, exitCode })
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
const CLIENT_TEXTS = [
  ...['<session_context>', 'This is the Gemini CLI.', 'Please continue.', '<system-reminder>'],
  ...['<hook_context>', '<background_output>', 'Background execution update', '<untrusted_context>'],
  'Recently accessed file (full current content embedded):',
  "Here is the user's editor context as a JSON object",
  "Here is a summary of changes in the user's editor context",
]

/** The text with which Gemini CLI adds a command that the user ran, and its output. */
const SHELL = 'I ran the following shell command:\n```sh\n'
const SHELL_OUTPUT = '\n```\n\nThis produced the following result:\n```\n'

function readShell(blocks: readonly ContentBlock[]): Message | undefined {
  const text = blocks.length === 1 ? blockText(blocks[0]) : ''
  const at = text.startsWith(SHELL) ? text.indexOf(SHELL_OUTPUT) : -1
  if (at < 0) return undefined
  const output = text
    .slice(at + SHELL_OUTPUT.length)
    .trimEnd()
    .replace(/\n```$/, '')
  return { role: 'bashExecution', command: text.slice(SHELL.length, at), output, cancelled: false }
}

/** Between these lines are the files that the user's message names with `@`. */
const FILES_START = '--- Content from referenced files ---'
const FILES_END = '--- End of content ---'

/** The line before a file or a resource of a server, in a part of its own. */
const isResourceLine = (text: string): boolean => /^\nContent from @[^\n]+:\n$/.test(text)

/** Whether a part is only the line before the files: without their end, all parts after it are files too. */
const isStartAlone = (text: string): boolean => text.trim() === FILES_START || isResourceLine(text)

/**
 * Returns the messages of a turn of the user, without the results in it: its own content, without what the client wrote. Beside a
 * result, no text is certainly the user's: Gemini CLI before 0.61 writes the parts of a tool's output there, and Qwen Code 0.24.4
 * what a hook adds.
 */
export function readGeminiUser({ blocks, results }: SplitParts): Message[] {
  const shell = readShell(blocks)
  if (shell !== undefined) return [shell]
  const own: ContentBlock[] = []
  const files: ContentBlock[] = []
  let isInFiles = false
  // The client writes the end once, after all files: an end before it belongs to a file.
  const lastEnd = blocks.findLastIndex((block) => blockText(block).trim() === FILES_END)
  for (const [index, block] of blocks.entries()) {
    const text = blockText(block)
    if (isClients(text)) continue
    const at = isInFiles || isResourceLine(text) ? 0 : text.indexOf(FILES_START)
    if (at < 0) own.push(block)
    else {
      isInFiles = index < lastEnd || (lastEnd < 0 && (isInFiles || isStartAlone(text)))
      const before = text.slice(0, at)
      own.push(...textBlocks(before.trimEnd()))
      files.push(block.type === 'text' ? { type: 'text', text: text.slice(at) } : block)
    }
  }
  return [
    ...(own.length === 0
      ? []
      : [{ role: results.length === 0 ? ('user' as const) : ('custom' as const), content: own }]),
    ...clientMessages(files),
  ]
}

const isClients = (text: string): boolean => CLIENT_TEXTS.some((start) => text.trimStart().startsWith(start))

/** Returns the token counts of Gemini's API, or those that Gemini CLI writes. */
export function readGeminiUsage(usage: unknown): { usage?: Usage } {
  if (!isObject(usage)) return {}
  const count = (...names: string[]): number => {
    const found = names.map((name) => usage[name]).find((value) => typeof value === 'number')
    return typeof found === 'number' ? found : 0
  }
  const cacheRead = count('cachedContentTokenCount', 'cached')
  const input = Math.max(0, count('promptTokenCount', 'input') - cacheRead)
  const output = count('candidatesTokenCount', 'output') + count('thoughtsTokenCount', 'thoughts')
  return { usage: { input, output, cacheRead, cacheWrite: 0 } }
}

/** Returns a summary as Gemini CLI writes it (0.61.0). */
export const wrapSnapshot = (summary: string): string => `<state_snapshot>\n${summary}\n</state_snapshot>`

/** The model's answer to a summary in its prompt, which is there because the roles of contents must alternate. */
export const SNAPSHOT_ACKNOWLEDGEMENT = 'Got it. Thanks for the additional context!'

/** Returns whether contents are only the model's answer to a summary. */
export const isAcknowledgementText = (blocks: readonly ContentBlock[]): boolean =>
  blocks.length === 1 && blockText(blocks[0]).trim() === SNAPSHOT_ACKNOWLEDGEMENT
