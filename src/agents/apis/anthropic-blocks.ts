import type { RawContentBlock, RawMessage, RawUsage } from '../../schemas/message.ts'
import { fieldsOf, isObject } from '../../session/entry.ts'

/** The content of a message of Anthropic's API, split into what the messages of pi have. */
export interface SplitContent {
  /** Text, thinking, tool calls and images. */
  blocks: RawContentBlock[]
  results: ToolResult[]
  /** The texts of files and documents among the blocks: nobody in the conversation wrote them. */
  attached: Set<RawContentBlock>
}

export type ToolResult = Extract<RawMessage, { role: 'toolResult' }>

/** Reads a content, a string or blocks of any type (Anthropic SDK 1.12.0). @param onUnknown receives unknown types */
export function readBlocks(content: unknown, onUnknown: (type: string) => void): SplitContent {
  const split: SplitContent = { blocks: textBlocks(content), results: [], attached: new Set() }
  if (!Array.isArray(content)) return split
  for (const block of content) readBlock(fieldsOf(block), split, onUnknown)
  return split
}

const textBlocks = (text: unknown): RawContentBlock[] =>
  typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : []

type Fields = Readonly<Record<string, unknown>>

/** Types of blocks that are encrypted, or that have no text. */
const EMPTY_BLOCKS = new Set(['redacted_thinking', 'tool_reference', 'container_upload', 'compaction', 'fallback'])

function readBlock(
  block: Fields,
  { blocks, results, attached }: SplitContent,
  onUnknown: (type: string) => void,
): void {
  const type = textOf(block['type'])
  switch (type) {
    case 'text':
      blocks.push(...textBlocks(block['text']))
      return
    case 'thinking':
      if (textOf(block['thinking']) !== '') blocks.push({ type: 'thinking', thinking: textOf(block['thinking']) })
      return
    case 'image':
      blocks.push(readImage(block))
      return
    case 'image_url': // OpenAI's chat API, and agents that call it
      blocks.push({ type: 'image_url', image_url: block['image_url'] })
      return
    case 'file': // Cline
    case 'document':
      attach(type === 'file' ? readFile(block) : readDocument(block), { blocks, attached })
      return
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      blocks.push({
        type: 'toolCall',
        id: textOf(block['id']),
        name: textOf(block['name']) || 'unknown',
        arguments: block['input'] ?? {},
      })
      return
    default:
      if (type.endsWith('tool_result')) results.push(readResult(block, onUnknown))
      else if (!EMPTY_BLOCKS.has(type)) onUnknown(type)
  }
}

function attach(texts: readonly RawContentBlock[], { blocks, attached }: Omit<SplitContent, 'results'>): void {
  for (const text of texts) {
    blocks.push(text)
    attached.add(text)
  }
}

/** Returns an image in pi's format, with its data if it has any. */
function readImage(block: Fields): RawContentBlock {
  const { data = block['data'], media_type: mimeType = block['mediaType'] } = fieldsOf(block['source'])
  return { type: 'image', ...(data === undefined ? {} : { data, mimeType }) }
}

const readFile = ({ path, content }: Fields): RawContentBlock[] =>
  textBlocks(`[File: ${textOf(path)}]\n${textOf(content)}`)

/** Returns the text of a document; a document without text has its title as a note. */
function readDocument(block: Fields): RawContentBlock[] {
  const { type, data } = fieldsOf(block['source'])
  if (type === 'text' && typeof data === 'string') return textBlocks(data)
  return textBlocks(`[Document${typeof block['title'] === 'string' ? `: ${block['title']}` : ''}]`)
}

/** The first line of the output of a failed command of Claude Code 2.1.330 and Cline 3.0.65, which have no field for it. */
const EXIT_CODE = /^(?:Error: Exit|Exit|\[Command exited with) code (\d{1,3})\b/

function readResult(block: Fields, onUnknown: (type: string) => void): SplitContent['results'][number] {
  const { content } = block
  const parts: unknown[] = Array.isArray(content) ? content : isObject(content) ? [content] : []
  const { blocks } = readBlocks(parts.length === 0 ? content : parts.map(asBlock), onUnknown)
  const isError = block['is_error'] === true || parts.some((part) => fieldsOf(part)['success'] === false)
  const marks = [block['is_error'], ...parts.map((part) => fieldsOf(part)['success'])]
  const exitCode = isError ? EXIT_CODE.exec(textOf(fieldsOf(blocks[0])['text']))?.[1] : undefined
  return {
    role: 'toolResult',
    toolCallId: textOf(block['tool_use_id']),
    toolName: textOf(block['name']),
    content: blocks,
    ...(marks.some((mark) => typeof mark === 'boolean') ? { isError } : {}),
    ...(exitCode === undefined ? {} : { details: { exitCode: Number(exitCode) } }),
  }
}

/** Returns a part of a result as a block. Cline's batched tools have parts without a type, one for each query. */
function asBlock(part: unknown): unknown {
  const { type, result, error, stdout, stderr, title, url } = fieldsOf(part)
  if (typeof stdout === 'string') return { type: 'text', text: [stdout, textOf(stderr)].filter(Boolean).join('\n') }
  if (type === 'web_search_result') return { type: 'text', text: `${textOf(title)} ${textOf(url)}`.trim() }
  return type === undefined ? { type: 'text', text: textOf(result) || textOf(error) } : part
}

/** Returns the token counts of Anthropic's `usage`. */
function readUsage(usage: unknown): RawUsage | undefined {
  if (!isObject(usage)) return undefined
  const count = (name: string): number => (typeof usage[name] === 'number' ? usage[name] : 0)
  return {
    input: count('input_tokens'),
    output: count('output_tokens'),
    cacheRead: count('cache_read_input_tokens'),
    cacheWrite: count('cache_creation_input_tokens'),
  }
}

/** Anthropic's stop reasons in pi's words. */
const STOP_REASONS: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'toolUse',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
}

/** Returns a stop reason in pi's words; none for a message that is still being written. */
const readStopReason = (reason: unknown): { stopReason?: string } =>
  typeof reason === 'string' ? { stopReason: STOP_REASONS[reason] ?? reason } : {}

/** Returns the facts in an answer of the API: its model, its stop reason, and its usage. */
export function describeAnswer({ model, usage, stop_reason: reason }: Fields) {
  const counts = readUsage(usage)
  return {
    ...(typeof model === 'string' ? { model } : {}),
    ...readStopReason(reason),
    ...(counts === undefined ? {} : { usage: counts }),
  }
}

/** Returns the fields of an error of the API, which a client wrote as a message. */
export function asProblem(blocks: SplitContent['blocks']) {
  const texts = blocks.flatMap((block) => (block.type === 'text' ? block.text : []))
  return { content: [], stopReason: 'error', errorMessage: texts.join('\n') }
}

/** Returns the texts of a content, a string or blocks, each from the beginning of a line. */
export function plainText(content: unknown): string {
  if (!Array.isArray(content)) return textOf(content)
  return content.map((block) => textOf(fieldsOf(block)['text'])).join('\n')
}

/** Returns a text; '' for any other value. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
