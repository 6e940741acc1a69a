import { fieldsOf, isObject, type ElementPlace } from '../../session/entry.ts'
import type { Message } from '../../session/message.ts'
import { readFileLists } from '../../session/read-entry.ts'
import type { Agent } from '../agent.ts'
import { readAnthropicBlocks } from '../apis/anthropic-blocks.ts'
import type { EntrySink, Sample, ValueReader } from '../reader.ts'
import { asText, listOf, type Fields } from '../shared/values.ts'

/** Sessions of GenCode: `{metadata, messages, summaries}`. */
export const GENCODE: Agent = {
  id: 'gencode',
  reader: { detect: isGencode, open: (sink) => new GencodeReader(sink) },
}

function isGencode({ fields, values }: Sample): boolean {
  if (isObject(fields['metadata']) && Array.isArray(fields['summaries'])) return true
  return values.some((value) =>
    listOf(fieldsOf(value)['content']).some(({ type, toolUseId }) => type === 'tool_result' && toolUseId !== undefined),
  )
}

/** The first line of a message that stands for earlier ones in a session that is already compacted. */
const COMPACTED = /^\[Earlier conversation - \d{1,9} messages summarized\]\s*/

class GencodeReader implements ValueReader {
  readonly #sink: EntrySink
  readonly #messages: { message: Fields; place: ElementPlace }[] = []

  constructor(sink: EntrySink) {
    this.#sink = sink
  }

  read(value: unknown, place: ElementPlace): void {
    this.#messages.push({ message: fieldsOf(value), place })
  }

  end(fields: Fields): void {
    // Indices of summaries count the messages of the whole history.
    const isWhole = !this.#messages.some(({ message }) => readCompacted(message) !== undefined)
    const summaries = new Map(isWhole ? listOf(fields['summaries']).map((one) => [lastCovered(one), one]) : [])
    for (const [position, { message, place }] of this.#messages.entries()) {
      this.#readMessage(message, place)
      const summary = summaries.get(position)
      if (summary !== undefined && asText(summary['content']) !== '') this.#addSummary(summary, place)
    }
  }

  #addSummary({ id, content, filesModified }: Fields, place: ElementPlace): void {
    const files = readFileLists({ modifiedFiles: filesModified })
    this.#sink.add({ type: 'compaction', id: asText(id), summary: asText(content), files }, place)
  }

  #readMessage(message: Fields, place: ElementPlace): void {
    const { role, content } = message
    const summary = readCompacted(message)
    if (summary !== undefined) this.#sink.add({ type: 'compaction', summary }, place)
    if (role === 'system') return
    const { blocks, results } = readAnthropicBlocks(
      Array.isArray(content) ? content.map(asAnthropic) : content,
      this.#sink.ignore,
    )
    const pruned = new Set(listOf(content).flatMap((block) => (isPruned(block) ? block['toolUseId'] : [])))
    const own: Message[] = results.map((one) => (pruned.has(one.toolCallId) ? { ...one, isPruned: true } : one))
    if (blocks.length > 0 && (role === 'user' || role === 'assistant')) own.push({ role, content: blocks })
    else if (blocks.length > 0) this.#sink.ignore('roles', asText(role))
    for (const one of own) this.#sink.add({ type: 'message', message: one }, place)
  }
}

function readCompacted({ role, content }: Fields): string | undefined {
  const text = asText(content) || asText(listOf(content)[0]?.['text'])
  return role === 'system' && COMPACTED.test(text) ? text.replace(COMPACTED, '').trim() : undefined
}

/** Returns the position of the newest message that a summary covers. */
function lastCovered({ coveringMessages: range }: Fields): number {
  const last: unknown = Array.isArray(range) ? range[1] : undefined
  return typeof last === 'number' ? last : -1
}

const isPruned = ({ pruned, prunedAt }: Fields): boolean => pruned === true || (prunedAt ?? null) !== null

/** Returns a block with the field names of Anthropic's API. */
function asAnthropic(block: unknown): unknown {
  const { toolUseId, isError, ...others } = fieldsOf(block)
  if (others['type'] === 'tool_use') return { ...others, id: others['id'] ?? toolUseId }
  return { ...others, tool_use_id: others['tool_use_id'] ?? toolUseId, is_error: others['is_error'] ?? isError }
}
