import type { ContentBlock, Message } from '../../session/message.ts'
import { fieldsOf, type ElementPlace } from '../../session/entry.ts'
import { isAcknowledgement, readCompactionText } from '../../session/message-text.ts'
import { saidAlone } from '../shared/user-answers.ts'
import { onlyText, contentOfOutput, readAiModelCall, readAiModelFile } from './ai-model.ts'
import type { SessionReader, ValueReader, EntrySink } from '../reader.ts'
import { textBlocks, thinkingBlocks, toolResult } from '../shared/messages.ts'
import { asText, type Fields, listOf } from '../shared/values.ts'

/** `UIMessage` of the AI SDK (ai 7.0.173), and those of version 4 with `toolInvocations`. */
export const aiUiReader: SessionReader = {
  detect: ({ values }) => values.some(isUiMessage),
  open: (sink) => new UiMessagesReader(sink),
}

const ROLES = new Set<unknown>(['user', 'assistant', 'system'])

function isUiMessage(value: unknown): boolean {
  const { role, parts, toolInvocations } = fieldsOf(value)
  if (!ROLES.has(role)) return false
  const list = listOf(parts)
  return Array.isArray(toolInvocations) || (list.length > 0 && list.every(({ type }) => typeof type === 'string'))
}

class UiMessagesReader implements ValueReader {
  readonly #sink: EntrySink

  constructor(sink: EntrySink) {
    this.#sink = sink
  }

  read(value: unknown, place: ElementPlace): void {
    const message = fieldsOf(value)
    const { role } = message
    if (!ROLES.has(role)) this.#sink.ignore('roles', asText(role))
    const id = asText(message['id'])
    const parts = partsOf(message)
    const text = onlyText(parts)
    const summary = role === 'user' ? readCompactionText(text) : undefined
    if (summary !== undefined) this.#sink.add({ type: 'compaction', id, summary }, place)
    if (summary !== undefined || isAcknowledgement(role, text)) return
    const add = (read: Message, part?: number): void => {
      this.#sink.add({ type: 'message', id, message: read }, part === undefined ? place : { ...place, part })
    }
    if (role === 'user') {
      const content = parts.flatMap((part) => this.#readPart(part))
      if (content.length > 0) add({ role, content })
    }
    if (role !== 'assistant') return
    // One message has all steps of an answer: each is a call of the model, and a compaction may keep the newest of them.
    const hasParts = Array.isArray(message['parts'])
    for (const { at, parts: step } of stepsOf(parts))
      this.#readStep(step, (read) => {
        add(read, hasParts ? at : undefined)
      })
  }

  #readStep(parts: readonly Fields[], add: (read: Message) => void): void {
    const content = parts.flatMap((part) => this.#readPart(part))
    if (content.length > 0) add({ role: 'assistant', content })
    for (const part of parts) {
      const result = toolOf(part) === undefined ? undefined : readResult(part)
      if (result !== undefined) add(result)
    }
  }

  #readPart(part: Fields): ContentBlock[] {
    const type = asText(part['type'])
    const text = asText(part['text']) || asText(part['reasoning'])
    const toolName = toolOf(part)
    if (toolName !== undefined) return [readAiModelCall({ ...part, toolName })]
    if (type === 'file') return [readAiModelFile(part)]
    if (type === 'reasoning') return thinkingBlocks(text)
    if (type === 'text') return textBlocks(text)
    if (!SILENT_PARTS.has(type) && !type.startsWith('data-')) this.#sink.ignore('blocks', type)
    return []
  }
}

/** Parts without a text for the model. */
const SILENT_PARTS = new Set(['step-start', 'source', 'source-url', 'source-document', 'custom'])

/** Returns the parts of a message. Version 4 has the text and the calls in fields of their own. */
function partsOf({ parts, content, toolInvocations }: Fields): Fields[] {
  const list = Array.isArray(parts)
    ? listOf(parts)
    : [...listOf(toolInvocations), ...(asText(content) === '' ? [] : [{ type: 'text', text: content }])]
  return list.map((part) => ({ ...part, ...fieldsOf(part['toolInvocation']) }))
}

/** Returns the steps of an answer, each with the position of its first part. */
function stepsOf(parts: readonly Fields[]): { at: number; parts: Fields[] }[] {
  const starts = [0, ...parts.keys()].filter((at, index) => index === 0 || parts[at]?.['type'] === 'step-start')
  return starts.map((at, index) => ({ at, parts: parts.slice(at, starts[index + 1]) }))
}

/** Returns the name of the tool that a part calls; undefined for other parts. */
function toolOf({ type, toolName, toolCallId }: Fields): string | undefined {
  if (typeof toolCallId !== 'string') return undefined
  const kind = asText(type)
  return asText(toolName) || (kind.startsWith('tool-') ? kind.slice('tool-'.length) : 'unknown')
}

/** States of a call that has ended: those of version 4 have `result`. */
const FAILED = new Set<unknown>(['output-error', 'output-denied'])
const ENDED = new Set<unknown>(['output-available', 'result', ...FAILED])

function readResult({ toolCallId, state, output, result, errorText, approval }: Fields): Message | undefined {
  if (!ENDED.has(state)) return undefined
  const isError = FAILED.has(state)
  // The application writes the approval, and never a tool.
  const isDenied = state === 'output-denied' && fieldsOf(approval)['approved'] === false
  const text = asText(errorText) || asText(fieldsOf(approval)['reason'])
  return toolResult(toolCallId, isError ? text : contentOfOutput(output ?? result), {
    isError: isError || undefined,
    answers: isDenied ? saidAlone(fieldsOf(approval)['reason']) : [],
  })
}
