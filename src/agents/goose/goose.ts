import { fieldsOf, isObject } from '../../session/entry.ts'
import type { ContentBlock, Message } from '../../session/message.ts'
import type { Agent } from '../agent.ts'
import { readAnthropicBlocks } from '../apis/anthropic-blocks.ts'
import { eachValue, type Ignore, type ReadEntry } from '../reader.ts'
import { imageBlock, thinkingBlocks, toolCall, toolResult } from '../shared/messages.ts'
import { asText, type Fields, listOf } from '../shared/values.ts'

/** Sessions of Goose: the output of `goose session export --format json`, or the JSONL of versions before 1.10. */
export const GOOSE: Agent = {
  id: 'goose',
  reader: {
    detect: ({ values }) => values.some(isGooseMessage),
    open: (sink) => eachValue(messageReader())(sink),
  },
  folderIn: ({ working_dir: folder }) => folder,
}

const OWN_PARTS = new Set(['toolRequest', 'toolResponse', 'systemNotification', 'conversationCompacted'])

function isGooseMessage(value: unknown): boolean {
  const { role, created, content, metadata } = fieldsOf(value)
  if (typeof role !== 'string' || !Array.isArray(content)) return false
  const { userVisible, agentVisible } = fieldsOf(metadata)
  if (typeof created === 'number' || typeof (userVisible ?? agentVisible) === 'boolean') return true
  return listOf(content).some(({ type }) => OWN_PARTS.has(asText(type)))
}

/** Parts for a user interface only. */
const SILENT_PARTS = new Set([
  ...['toolConfirmationRequest', 'actionRequired', 'systemNotification', 'conversationCompacted', 'redactedThinking'],
])

/** Returns a function that reads the messages of one session. */
function messageReader(): (message: Fields, ignore: Ignore) => ReadEntry[] {
  /** Whether there are messages that the model does not see, and others. A compaction hides all that it covers. */
  let hasHidden = false
  let hasVisible = false
  let isAfterSummary = false
  return (message, ignore) => {
    const { role, content, metadata } = message
    if (!Array.isArray(content)) return []
    const { agentVisible, userVisible } = fieldsOf(metadata)
    const isForModel = agentVisible !== false && userVisible === false
    // The message that Goose makes of a command such as `/goal` looks like a summary too, but hides only the command.
    const isSummary = isForModel && hasHidden && !hasVisible && role === 'user'
    if (agentVisible === false) hasHidden = true
    else hasVisible = true
    if (isSummary) {
      isAfterSummary = true
      return [readSummary(message)]
    }
    // After the summary, Goose writes a sentence for the model.
    return isForModel && isAfterSummary && role === 'assistant' ? [] : readMessage(message, ignore)
  }
}

function readSummary({ id, content }: Fields): ReadEntry {
  const texts = listOf(content).map(({ text }) => asText(text))
  return { type: 'compaction', id: asText(id), summary: texts.join('\n').trim() }
}

function readMessage({ id, role, content, metadata }: Fields, ignore: Ignore): ReadEntry[] {
  const parts = listOf(content)
  const blocks = parts.flatMap((part) => readPart(part, ignore))
  const messages = parts.filter(({ type }) => type === 'toolResponse').map((part) => readResult(part, ignore))
  if (blocks.length > 0 && role === 'assistant') messages.push({ role, content: blocks })
  else if (blocks.length > 0 && role === 'user')
    messages.push({ role: fieldsOf(metadata)['userVisible'] === false ? 'custom' : 'user', content: blocks })
  else if (blocks.length > 0) ignore('roles', asText(role))
  return messages.map((message) => ({ type: 'message', id: asText(id), message }))
}

function readPart(part: Fields, ignore: Ignore): ContentBlock[] {
  const type = asText(part['type'])
  switch (type) {
    case 'toolRequest':
    case 'frontendToolRequest':
      return [readCall(part)]
    case 'toolResponse':
      return []
    case 'reasoning':
      return thinkingBlocks(part['text'])
    case 'image':
      return [imageBlock({ data: part['data'], mimeType: part['mimeType'] })]
    default:
      return SILENT_PARTS.has(type) ? [] : readAnthropicBlocks([part], ignore).blocks
  }
}

function readResult({ id, toolResult: result }: Fields, ignore: Ignore): Message {
  const { status, value, error } = fieldsOf(result)
  const parts = Array.isArray(value) ? (value as unknown) : fieldsOf(value)['content']
  const { isError } = fieldsOf(value)
  const hasFailed = status === 'error' || isError === true
  const content = listOf(parts).flatMap((part) => readPart(part, ignore))
  const isMarked = hasFailed || typeof isError === 'boolean'
  return toolResult(id, status === 'error' ? asText(error) || JSON.stringify(error ?? '') : content, {
    isError: isMarked ? hasFailed : undefined,
  })
}

function readCall({ id, toolCall: call }: Fields): ContentBlock {
  const { value, error } = fieldsOf(call)
  const { name, arguments: values } = fieldsOf(isObject(value) ? value : call)
  return toolCall(id, name, values ?? (error === undefined ? {} : { error }))
}
