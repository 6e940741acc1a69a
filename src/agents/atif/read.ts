import { fieldsOf, isObject } from '../../session/entry.ts'
import type { Message } from '../../session/message.ts'
import { plainText, readAnthropicBlocks } from '../apis/anthropic-blocks.ts'
import { readInstruction } from '../apis/chat-asides.ts'
import type { EntrySink, Ignore, ReadEntry, Sample, SessionReader, ValueReader } from '../reader.ts'
import { blockText, modelFact, thinkingBlocks, toolCall, toolResult } from '../shared/messages.ts'
import { asText, countsOf, listOf, type Fields } from '../shared/values.ts'

/** Trajectories of the Agent Trajectory Interchange Format, versions 1.0 to 1.8. */
export const atifReader: SessionReader = {
  detect: isAtif,
  describe: ({ step_id: id, source }) => ({
    ...(typeof id === 'number' ? { id } : {}),
    ...(source === 'agent' ? { kind: 'assistant' } : {}),
  }),
  open: openSteps,
}

const SOURCES = new Set<unknown>(['user', 'agent', 'system'])

function isAtif({ fields, values }: Sample): boolean {
  if (asText(fields['schema_version']).startsWith('ATIF-v')) return true
  return values.some((value) => {
    const { step_id: id, source, message } = fieldsOf(value)
    return typeof id === 'number' && SOURCES.has(source) && message !== undefined
  })
}

function openSteps({ add, aside, ignore }: EntrySink): ValueReader {
  let lastId = ''
  return {
    read: (value, place) => {
      const step = fieldsOf(value)
      const entries = readStep(step, ignore)
      for (const entry of entries) add(entry, place)
      lastId = entries.at(-1)?.id ?? lastId
      if (entries.length === 0 && step['source'] === 'system')
        aside(lastId, readInstruction('system', systemText(step)))
    },
  }
}

/** Returns the text of a system step: an instruction or a notice, and what it observed. */
const systemText = ({ message, observation }: Fields): string =>
  [message, ...listOf(fieldsOf(observation)['results']).map(({ content }) => content)]
    .map((content) => plainText(content))
    .filter((text) => text !== '')
    .join('\n')

function readStep(step: Fields, ignore: Ignore): ReadEntry[] {
  const { step_id: number, source } = step
  const id = typeof number === 'number' ? String(number) : ''
  const summary = readSummary(step)
  if (summary !== undefined) return [{ type: 'compaction', id, summary }]
  // A system step is an instruction or a notice: only look-ups read it.
  if (source !== 'user' && source !== 'agent' && source !== 'system') ignore('entryTypes', asText(source))
  const messages = source === 'user' ? readUser(step, ignore) : source === 'agent' ? readAgent(step, ignore) : []
  return messages.map((message) => ({ type: 'message', id, message }))
}

function readUser({ message }: Fields, ignore: Ignore): Message[] {
  const content = readAnthropicBlocks(message, ignore).blocks
  return content.length === 0 ? [] : [{ role: 'user', content }]
}

function readAgent(step: Fields, ignore: Ignore): Message[] {
  const calls = listOf(step['tool_calls']).map(readCall)
  const text = readAnthropicBlocks(step['message'], ignore).blocks
  const content = [...thinkingBlocks(step['reasoning_content']), ...text, ...calls]
  const results = readResults(step, calls, ignore)
  return content.length === 0 ? results : [{ role: 'assistant', content, ...describe(step) }, ...results]
}

/** Results without the id of a call answer the next call that has none, and else the last one. */
function readResults({ observation }: Fields, calls: readonly { id: string }[], ignore: Ignore): Message[] {
  const results = listOf(fieldsOf(observation)['results'])
  const named = new Set(results.map(({ source_call_id: id }) => id))
  const waiting = calls.filter(({ id }) => !named.has(id)).map(({ id }) => id)
  return results.map((result): Message => {
    const content = readAnthropicBlocks(result['content'], ignore).blocks
    const toolCallId = asText(result['source_call_id']) || waiting.shift() || calls.at(-1)?.id
    if (toolCallId === undefined) return { role: 'custom', content }
    const { is_error: isError, exit_code: exitCode } = fieldsOf(result['extra'])
    return toolResult(toolCallId, content, { isError: typeof isError === 'boolean' ? isError : undefined, exitCode })
  })
}

/** The beginning of the prompt with which terminus-2 continues after its own summary, which has no other mark. */
const HANDOFF = 'You are picking up work from a previous AI agent'

/** Returns the summary of a compaction step (the convention of ATIF 1.7, and the older one of terminus-2). */
function readSummary({ source, message, observation, extra }: Fields): string | undefined {
  if (source === 'user' && asText(message).startsWith(HANDOFF)) return asText(message)
  const { type } = fieldsOf(fieldsOf(extra)['context_management'])
  if (source !== 'system' || type !== 'compaction') return undefined
  const [result] = listOf(fieldsOf(observation)['results'])
  const texts = readAnthropicBlocks(result?.['content']).blocks.map(blockText)
  return texts.join('\n') || undefined
}

const readCall = ({ tool_call_id: id, function_name: name, arguments: values }: Fields) => toolCall(id, name, values)

/** Returns the model and the usage of a step. A copied step was counted where it was first written. */
function describe({ model_name: model, metrics, is_copied_context: isCopied }: Fields) {
  const count = countsOf(metrics)
  const cacheRead = count('cached_tokens')
  const input = Math.max(0, count('prompt_tokens') - cacheRead)
  const hasUsage = isObject(metrics) && isCopied !== true
  return {
    ...modelFact(model),
    ...(hasUsage ? { usage: { input, output: count('completion_tokens'), cacheRead, cacheWrite: 0 } } : {}),
  }
}
