import { fieldsOf } from '../../session/entry.ts'
import { isAcknowledgement, readCompactionText } from '../../session/message-text.ts'
import { textBlocks, type ContentBlock, type Message } from '../../session/message.ts'
import { eachValue, type Ignore, type PartEntry, type SessionReader } from '../reader.ts'
import { thinkingBlocks, toolResult } from '../shared/messages.ts'
import { saidAlone } from '../shared/user-answers.ts'
import { asText, type Fields, listOf } from '../shared/values.ts'
import { onlyText, contentOfOutput, readAiModelCall, readAiModelFile } from './ai-model.ts'

/** `UIMessage` of the AI SDK (ai 7.0.173), and those of version 4 with `toolInvocations`. */
export const aiUiReader: SessionReader = {
  detect: ({ values }) => values.some(isUiMessage),
  open: eachValue(readUiMessage),
}

const ROLES = new Set<unknown>(['user', 'assistant', 'system'])

function isUiMessage(value: unknown): boolean {
  const { role, parts, toolInvocations } = fieldsOf(value)
  if (!ROLES.has(role)) return false
  const list = listOf(parts)
  return Array.isArray(toolInvocations) || (list.length > 0 && list.every(({ type }) => typeof type === 'string'))
}

function readUiMessage(message: Fields, ignore: Ignore): PartEntry[] {
  const { role } = message
  if (!ROLES.has(role)) ignore('roles', asText(role))
  const id = asText(message['id'])
  const parts = partsOf(message)
  const text = onlyText(parts)
  const summary = role === 'user' ? readCompactionText(text) : undefined
  if (summary !== undefined) return [{ type: 'compaction', id, summary }]
  if (isAcknowledgement(role, text)) return []
  if (role === 'user') {
    const content = parts.flatMap((part) => readPart(part, ignore))
    return content.length === 0 ? [] : [{ type: 'message', id, message: { role, content } }]
  }
  if (role !== 'assistant') return []
  // One message has all steps of an answer: each is a call of the model, and a compaction may keep the newest of them.
  const hasParts = Array.isArray(message['parts'])
  return stepsOf(parts).flatMap(({ at, parts: step }) =>
    readStep(step, ignore).map((read) => ({ type: 'message', id, message: read, ...(hasParts ? { part: at } : {}) })),
  )
}

function readStep(parts: readonly Fields[], ignore: Ignore): Message[] {
  const content = parts.flatMap((part) => readPart(part, ignore))
  const results = parts.flatMap((part) => (toolOf(part) === undefined ? [] : readResult(part)))
  return content.length === 0 ? results : [{ role: 'assistant', content }, ...results]
}

function readPart(part: Fields, ignore: Ignore): ContentBlock[] {
  const type = asText(part['type'])
  const text = asText(part['text']) || asText(part['reasoning'])
  const toolName = toolOf(part)
  if (toolName !== undefined) return [readAiModelCall({ ...part, toolName })]
  if (type === 'file') return [readAiModelFile(part)]
  if (type === 'reasoning') return thinkingBlocks(text)
  if (type === 'text') return textBlocks(text)
  if (!SILENT_PARTS.has(type) && !type.startsWith('data-')) ignore('blocks', type)
  return []
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

function toolOf({ type, toolName, toolCallId }: Fields): string | undefined {
  if (typeof toolCallId !== 'string') return undefined
  const kind = asText(type)
  return asText(toolName) || (kind.startsWith('tool-') ? kind.slice('tool-'.length) : 'unknown')
}

/** States of a call that has ended: those of version 4 have `result`. */
const FAILED = new Set<unknown>(['output-error', 'output-denied'])
const ENDED = new Set<unknown>(['output-available', 'result', ...FAILED])

function readResult({ toolCallId, state, output, result, errorText, approval }: Fields): Message[] {
  if (!ENDED.has(state)) return []
  const isError = FAILED.has(state)
  // The application writes the approval, and never a tool.
  const isDenied = state === 'output-denied' && fieldsOf(approval)['approved'] === false
  const text = asText(errorText) || asText(fieldsOf(approval)['reason'])
  const content = isError ? text : contentOfOutput(output ?? result)
  const answers = isDenied ? saidAlone(fieldsOf(approval)['reason']) : []
  return [toolResult(toolCallId, content, { isError: isError || undefined, answers })]
}
