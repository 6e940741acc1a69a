import { fieldsOf, isObject } from '../../session/entry.ts'
import { textBlocks, type ContentBlock, type ToolResultMessage, type Usage } from '../../session/message.ts'
import type { Ignore } from '../reader.ts'
import {
  blockText,
  imageBlock,
  modelFact,
  thinkingBlocks,
  toolCall,
  toolResult,
  type AnswerFacts,
} from '../shared/messages.ts'
import { asText, countsOf, type Fields } from '../shared/values.ts'

/** The content of a message of Anthropic's API, split into what the messages of pi have. */
interface SplitContent {
  /** Text, thinking, tool calls and images. */
  blocks: ContentBlock[]
  results: ToolResultMessage[]
  /** The texts of files and documents among the blocks: nobody in the conversation wrote them. */
  attached: Set<ContentBlock>
}

/** Reads a content, a string or blocks of any type (Anthropic SDK 1.12.0). */
export function readAnthropicBlocks(content: unknown, ignore: Ignore = () => undefined): SplitContent {
  const split: SplitContent = { blocks: textBlocks(content), results: [], attached: new Set() }
  if (!Array.isArray(content)) return split
  for (const block of content) readBlock(fieldsOf(block), split, ignore)
  return split
}

/** Types of blocks that are encrypted, or that have no text. */
const EMPTY_BLOCKS = new Set(['redacted_thinking', 'tool_reference', 'container_upload', 'compaction', 'fallback'])

function readBlock(block: Fields, { blocks, results, attached }: SplitContent, ignore: Ignore): void {
  const type = asText(block['type'])
  switch (type) {
    case 'text':
      blocks.push(...textBlocks(block['text']))
      return
    case 'thinking':
      blocks.push(...thinkingBlocks(block['thinking']))
      return
    case 'image':
      blocks.push(readImage(block))
      return
    case 'image_url': // OpenAI's chat API, and agents that call it
      blocks.push(imageBlock({ image_url: block['image_url'] }))
      return
    case 'file': // Cline
    case 'document':
      attach(type === 'file' ? readFile(block) : readDocument(block), { blocks, attached })
      return
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      blocks.push(toolCall(block['id'], block['name'], block['input']))
      return
    default:
      if (type.endsWith('tool_result')) results.push(readResult(block, ignore))
      else if (!EMPTY_BLOCKS.has(type)) ignore('blocks', type)
  }
}

function attach(texts: readonly ContentBlock[], { blocks, attached }: Omit<SplitContent, 'results'>): void {
  for (const text of texts) {
    blocks.push(text)
    attached.add(text)
  }
}

/** Returns an image in pi's format, with its data if it has any. */
function readImage(block: Fields): ContentBlock {
  const { data = block['data'], media_type: mimeType = block['mediaType'] } = fieldsOf(block['source'])
  return imageBlock(data === undefined ? {} : { data, mimeType })
}

const readFile = ({ path, content }: Fields): ContentBlock[] =>
  textBlocks(`[File: ${asText(path)}]\n${asText(content)}`)

/** Returns the text of a document; a document without text has its title as a note. */
function readDocument(block: Fields): ContentBlock[] {
  const { type, data } = fieldsOf(block['source'])
  if (type === 'text' && typeof data === 'string') return textBlocks(data)
  return textBlocks(`[Document${typeof block['title'] === 'string' ? `: ${block['title']}` : ''}]`)
}

/** The first line of the output of a failed command of Claude Code 2.1.330 and Cline 3.0.65, which have no field for it. */
const EXIT_CODE = /^(?:Error: Exit|Exit|\[Command exited with) code (\d{1,3})\b/

function readResult(block: Fields, ignore: Ignore): ToolResultMessage {
  const { content } = block
  const parts: unknown[] = Array.isArray(content) ? content : isObject(content) ? [content] : []
  const { blocks } = readAnthropicBlocks(parts.length === 0 ? content : parts.map(asBlock), ignore)
  const isError = block['is_error'] === true || parts.some((part) => fieldsOf(part)['success'] === false)
  const marks = [block['is_error'], ...parts.map((part) => fieldsOf(part)['success'])]
  const exitCode = isError ? EXIT_CODE.exec(blockText(blocks[0]))?.[1] : undefined
  return toolResult(block['tool_use_id'], blocks, {
    name: block['name'],
    isError: marks.some((mark) => typeof mark === 'boolean') ? isError : undefined,
    exitCode: exitCode && Number(exitCode),
  })
}

/** Returns a part of a result as a block. Cline's batched tools have parts without a type, one for each query. */
function asBlock(part: unknown): unknown {
  const { type, result, error, stdout, stderr, title, url } = fieldsOf(part)
  if (typeof stdout === 'string') return { type: 'text', text: [stdout, asText(stderr)].filter(Boolean).join('\n') }
  if (type === 'web_search_result') return { type: 'text', text: `${asText(title)} ${asText(url)}`.trim() }
  return type === undefined ? { type: 'text', text: asText(result) || asText(error) } : part
}

/** Returns the token counts of Anthropic's `usage`. */
function readUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined
  const count = countsOf(usage)
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
export function describeAnswer({ model, usage, stop_reason: reason }: Fields): AnswerFacts {
  const counts = readUsage(usage)
  return {
    ...readStopReason(reason),
    ...modelFact(model),
    ...(counts === undefined ? {} : { usage: counts }),
  }
}

/** Returns the texts of a content, a string or blocks, each from the beginning of a line. */
export function plainText(content: unknown): string {
  if (!Array.isArray(content)) return asText(content)
  return content.map((block) => asText(fieldsOf(block)['text'])).join('\n')
}
