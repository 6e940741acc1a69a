import { fieldsOf, isObject, type ElementPlace } from '../../session/entry.ts'
import { readCompactionText } from '../../session/message-text.ts'
import type { ContentBlock, Message } from '../../session/message.ts'
import type { ListSink } from '../reader.ts'
import { AnswerBuffer } from '../shared/answer-buffer.ts'
import { readCall, readCallOutput } from '../shared/call-output.ts'
import { blockText, thinkingBlocks, toolCall, toolResult, withPrune, type AnswerFacts } from '../shared/messages.ts'
import { readAnswersJson } from '../shared/user-answers.ts'
import { asText, type Fields } from '../shared/values.ts'
import { readParts, readUserMessage } from './responses-parts.ts'

/** Items without a part in the conversation: instructions, lists of tools, and encrypted items. */
const SILENT_ITEMS = new Set([
  ...['mcp_list_tools', 'mcp_approval_request', 'mcp_approval_response', 'tool_search_call', 'tool_search_output'],
  ...['additional_tools', 'configuration_update', 'compaction', 'compaction_summary', 'context_compaction'],
  ...['compaction_trigger', 'item_reference', 'image_generation_call', 'file_search_call', 'agent_message'],
])

/** Types of items that only OpenAI's Responses API has. */
const ITEM_TYPES = new Set([
  ...['reasoning', 'function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output'],
  ...['local_shell_call', 'shell_call', 'apply_patch_call', 'web_search_call', ...SILENT_ITEMS],
])

/** Returns whether a value is an item of the Responses API. */
export function isResponsesItem(value: unknown): boolean {
  if (!isObject(value)) return false
  const { type, role, content } = value
  if (ITEM_TYPES.has(asText(type))) return true
  if (type !== 'message' && typeof role !== 'string') return false
  return Array.isArray(content) && content.some((part) => /^(?:in|out)put_/.test(asText(fieldsOf(part)['type'])))
}

/** Reads items of the Responses API (openai 7.57.0) into messages: reasoning, text and calls in a row are one message. */
export class ResponsesReader {
  readonly #sink: ListSink
  readonly #answers: AnswerBuffer
  readonly #isQuestion: (call: Fields) => boolean
  /** The ids of calls that ask the user and have no output yet. */
  readonly #questions = new Set<string>()
  /** Whether the calls of the answer have results: what the model writes next is another answer. */
  #hasResults = false

  /** @param isQuestion whether a call asks the user, so that its output has the user's words */
  constructor(sink: ListSink, isQuestion: (call: Fields) => boolean = () => false) {
    this.#sink = sink
    this.#answers = new AnswerBuffer(sink)
    this.#isQuestion = isQuestion
  }

  read(value: unknown, place: ElementPlace): void {
    const item = fieldsOf(value)
    const type = asText(item['type']) || (typeof item['role'] === 'string' ? 'message' : '')
    if (type === 'message') this.#readMessage(item, place)
    else if (type === 'reasoning') this.#extend(readReasoning(item), item, place)
    else if (type.endsWith('_output')) this.#readOutput(item, place)
    else if (type.endsWith('_call') && !SILENT_ITEMS.has(type)) this.#readCall(item, place)
    else if (!SILENT_ITEMS.has(type)) this.#sink.ignore('entryTypes', type)
  }

  /** Adds facts about the newest answer, such as its usage. */
  addFacts(facts: AnswerFacts): void {
    if (this.#answers.open !== undefined) this.#answers.extend([], facts)
  }

  end(): void {
    this.#answers.close()
  }

  #readMessage(item: Fields, place: ElementPlace): void {
    const blocks = readParts(item['content'])
    switch (item['role']) {
      case 'assistant':
        this.#extend(blocks, item, place)
        return
      case 'user': {
        this.#answers.close()
        const summary = readSummary(blocks)
        if (summary !== undefined) {
          this.#sink.add({ type: 'compaction', summary }, place)
          return
        }
        const message = readUserMessage(blocks, item)
        if (message !== undefined) this.#add(message, item, place)
        return
      }
      case 'system':
      case 'developer':
        return
      default:
        this.#sink.ignore('roles', asText(item['role']))
    }
  }

  #readCall(item: Fields, place: ElementPlace): void {
    const id = asText(item['call_id']) || asText(item['id'])
    const { name, values } = readCall(item)
    if (this.#isQuestion(item)) this.#questions.add(id)
    else this.#questions.delete(id)
    this.#extend([toolCall(id, name, values)], item, place)
    // The call of a server has its result with it.
    if (item['type'] === 'mcp_call') this.#readOutput({ ...item, id: undefined, call_id: id }, place)
  }

  #readOutput(item: Fields, place: ElementPlace): void {
    this.#hasResults = true
    const { text, parts, isError, exitCode } = readCallOutput(item)
    const toolCallId = asText(item['call_id']) || asText(item['id'])
    // A question has one answer: a later output with the same id is that of another tool.
    const isAnswer = this.#questions.delete(toolCallId) && isError !== true
    const answers = isAnswer ? readAnswersJson(text) : []
    const content = parts === undefined ? text : readParts(parts)
    this.#add(
      withPrune(toolResult(toolCallId, content, { isError, exitCode, answers }), item['prunedAt']),
      { id: item['call_id'] === undefined ? undefined : item['id'] },
      place,
    )
  }

  #add(message: Message, { id }: Fields, place: ElementPlace): void {
    this.#answers.add({ type: 'message', id: asText(id), message }, place)
  }

  #extend(blocks: readonly ContentBlock[], { id }: Fields, place: ElementPlace): void {
    if (blocks.length === 0) return
    if (this.#hasResults || this.#answers.open === undefined)
      this.#answers.begin({ id: asText(id) || undefined, place })
    this.#hasResults = false
    this.#answers.extend(blocks)
  }
}

function readReasoning({ summary, content }: Fields): ContentBlock[] {
  const texts: unknown[] = [summary, content].flatMap((parts) => (Array.isArray(parts) ? (parts as unknown[]) : []))
  const thinking = texts.map((part) => asText(fieldsOf(part)['text'])).filter((text) => text !== '')
  return thinkingBlocks(thinking.join('\n\n'))
}

/** Returns the summary in a message of the user that is nothing else. */
const readSummary = (blocks: readonly ContentBlock[]): string | undefined =>
  blocks.length === 1 ? readCompactionText(blockText(blocks[0])) : undefined
