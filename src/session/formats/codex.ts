import { fieldsOf, isObject, type ElementPlace } from '../entry.ts'
import { textOf } from './anthropic-blocks.ts'
import type { Format, FormatReader, FormatSink } from './format.ts'
import { ResponsesReader } from './responses-items.ts'

/** Rollouts of Codex: JSONL of items of the Responses API, bare (2025) or in envelopes (0.120, 0.169). */
export const CODEX: Format = {
  id: 'codex',
  detect: ({ values }) => values.some(isCodexLine),
  open: (sink) => new CodexReader(sink),
}

/** The types of envelopes that are read; those of `BOOKKEEPING` are known, and left out. */
const READ_TYPES = ['response_item', 'compacted', 'event_msg'] as const

const BOOKKEEPING = new Set(['session_meta', 'turn_context', 'world_state', 'token_usage_record', 'ghost_snapshot'])

const TYPES = new Set<unknown>([...READ_TYPES, ...BOOKKEEPING])

function isCodexLine(value: unknown): boolean {
  if (!isObject(value)) return false
  if (TYPES.has(value['type'])) return isObject(value['payload'])
  return value['record_type'] === 'state' || isFirstLine(value)
}

/** The first line of a rollout of 2025. */
const isFirstLine = (line: Record<string, unknown>): boolean =>
  line['type'] === undefined && typeof line['timestamp'] === 'string' && line['instructions'] !== undefined

class CodexReader implements FormatReader {
  readonly #sink: FormatSink
  #items: ResponsesReader

  constructor(sink: FormatSink) {
    this.#sink = sink
    this.#items = new ResponsesReader(sink)
  }

  read(value: unknown, place: ElementPlace): void {
    const line = fieldsOf(value)
    const payload = fieldsOf(line['payload'])
    switch (line['type']) {
      case 'response_item':
        this.#items.read(payload, place)
        return
      case 'compacted':
        this.#readCompaction(payload, place)
        return
      case 'event_msg':
        this.#readEvent(payload)
        return
      default:
        if (isObject(line['payload']) || isFirstLine(line) || line['record_type'] !== undefined)
          this.#skip(line['type'])
        else this.#items.read(line, place)
    }
  }

  end(): void {
    this.#items.end()
  }

  #skip(type: unknown): void {
    if (typeof type === 'string' && !BOOKKEEPING.has(type)) this.#sink.ignore('entryTypes', type)
  }

  /** Events repeat the conversation for a user interface. Only the usage of an answer stands nowhere else. */
  #readEvent(event: Readonly<Record<string, unknown>>): void {
    const usage = fieldsOf(event['info'])['last_token_usage']
    if (event['type'] !== 'token_count' || !isObject(usage)) return
    const count = (name: string): number => (typeof usage[name] === 'number' ? usage[name] : 0)
    const cacheRead = count('cached_input_tokens')
    const input = Math.max(0, count('input_tokens') - cacheRead)
    if (input + cacheRead > 0) this.#items.addFacts({ usage: { input, output: count('output_tokens'), cacheRead } })
  }

  /**
   * After a compaction, the history is `replacement_history`, by value, and what follows. A compaction whose text is
   * encrypted counts as absent: its originals are still there.
   */
  #readCompaction(
    { message, replacement_history: history }: Readonly<Record<string, unknown>>,
    place: ElementPlace,
  ): void {
    this.#items.end()
    const items = Array.isArray(history) ? history : []
    const position = items.findLastIndex((item) => summaryOf(item) !== undefined)
    const summary = summaryOf(items[position]) ?? withoutPreamble(textOf(message))
    if (summary === '') return
    this.#sink.add({ type: 'compaction', summary }, place)
    for (const [part, item] of items.entries()) if (part !== position) this.#items.read(item, { ...place, part })
    this.#items.end()
  }
}

/** What Codex writes before the summary (0.120 and 0.169). */
const PREAMBLE = 'Another language model started to solve this problem and produced a summary of its thinking process.'
const PREAMBLE_END = 'assist with your own analysis:'

/** Returns the summary in an item of Codex; undefined for other items. */
export function summaryOf(item: unknown): string | undefined {
  const { role, content } = fieldsOf(item)
  const text = textOf(fieldsOf(Array.isArray(content) ? content[0] : undefined)['text'])
  return role === 'user' && text.startsWith(PREAMBLE) ? withoutPreamble(text) : undefined
}

function withoutPreamble(text: string): string {
  const end = text.startsWith(PREAMBLE) ? text.indexOf(PREAMBLE_END) : -1
  return text.slice(end < 0 ? 0 : end + PREAMBLE_END.length).trim()
}
