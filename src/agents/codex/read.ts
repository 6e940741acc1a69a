import { fieldsOf, isObject, type ElementPlace, type SourceElement } from '../../session/entry.ts'
import { textOf } from '../../session/message.ts'
import { firstThatFit } from '../../text/that-fit.ts'
import { ResponsesReader } from '../apis/responses-items.ts'
import { describeMessage, type EntrySink, type SessionReader, type ValueReader } from '../reader.ts'
import { withTime } from '../shared/messages.ts'
import { asText, countsOf } from '../shared/values.ts'
import { codexSummaryOf, findSummary } from './history-summary.ts'
import { TurnEnds } from './turn-ends.ts'

/** Rollouts of Codex: JSONL of items of the Responses API, bare (2025) or in envelopes (0.120, 0.169). */
export const codexReader: SessionReader = {
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

/** Whether a call is one of Codex' own tool that asks the user. A tool of a server has a namespace, or a longer name. */
const isQuestion = ({ type, name, namespace }: Readonly<Record<string, unknown>>): boolean =>
  type === 'function_call' && name === 'request_user_input' && (namespace ?? null) === null

type Added = Parameters<EntrySink['add']>

interface Turn {
  entries: Added[]
  /** Its items, also those that are no entry. */
  elements: SourceElement[]
}

class CodexReader implements ValueReader {
  readonly #sink: EntrySink
  readonly #items: ResponsesReader
  /** By turns of the user: a rollback removes the newest of them. */
  readonly #turns: Turn[] = [{ entries: [], elements: [] }]
  readonly #ends = new TurnEnds()

  constructor(sink: EntrySink) {
    this.#sink = sink
    const turns: EntrySink = {
      ...sink,
      add: (...added) => {
        if (isUserEntry(added[0])) this.#turns.push({ entries: [], elements: [] })
        this.#turns.at(-1)?.entries.push(added)
      },
    }
    this.#items = new ResponsesReader(turns, isQuestion)
  }

  read(value: unknown, place: ElementPlace): void {
    const line = fieldsOf(value)
    const payload = fieldsOf(line['payload'])
    switch (line['type']) {
      case 'response_item':
        this.#readItem({ ...payload, prunedAt: line['prunedAt'] }, place)
        return
      case 'compacted':
        this.#readCompaction(payload, place)
        return
      case 'event_msg':
        this.#readEvent(payload, line['timestamp'])
        return
      default:
        if (isObject(line['payload']) || isFirstLine(line) || line['record_type'] !== undefined)
          this.#skip(line['type'])
        else this.#items.read(line, place)
    }
  }

  end(): void {
    if (this.#ends.areUnmarked) this.#items.addFacts({ stopReason: 'stop' })
    this.#items.end()
    for (const { entries } of this.#turns) for (const added of entries) this.#sink.add(...added)
    this.#sink.setElements(this.#turns.flatMap(({ elements }) => elements))
  }

  #readItem(item: unknown, place: ElementPlace): void {
    this.#items.read(item, place)
    if (this.#ends.isRemark(fieldsOf(item))) this.#items.addFacts({ stopReason: 'toolUse' })
    // The next compaction replaces the summaries in a history.
    if (place.part !== undefined && codexSummaryOf(item) !== undefined) return
    this.#turns.at(-1)?.elements.push({ ...place, ...describeMessage(fieldsOf(item)) })
  }

  #skip(type: unknown): void {
    if (typeof type === 'string' && !BOOKKEEPING.has(type)) this.#sink.ignore('entryTypes', type)
  }

  /** Events repeat the conversation for a user interface. Only the ends of turns, the usage of an answer and the model's window are in no other line. */
  #readEvent(event: Readonly<Record<string, unknown>>, time: unknown): void {
    if (event['type'] === 'thread_rolled_back') this.#rollBack(event['num_turns'])
    if (this.#ends.read(event['type'])) this.#items.addFacts({ stopReason: 'stop' })
    const { last_token_usage: last, model_context_window: window = event['model_context_window'] } = fieldsOf(
      event['info'],
    )
    if (typeof window === 'number' && Number.isSafeInteger(window) && window > 0) this.#sink.setWindow(window)
    if (event['type'] !== 'token_count' || !isObject(last)) return
    const count = countsOf(last)
    const cacheRead = count('cached_input_tokens')
    const input = Math.max(0, count('input_tokens') - cacheRead)
    const usage = { input, output: count('output_tokens'), cacheRead, cacheWrite: 0 }
    if (input + cacheRead > 0) this.#items.addFacts(withTime({ usage }, time))
  }

  #rollBack(turns: unknown): void {
    this.#items.end()
    let left = typeof turns === 'number' ? turns : 0
    // The entries before the first turn do not come from the user.
    while (left > 0 && this.#turns.length > 1) {
      const { entries: [first] = [] } = this.#turns.pop() ?? {}
      if (first !== undefined && isUserEntry(first[0])) left -= 1
    }
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
    const users = this.#turns.filter(({ entries: [first] }) => first !== undefined && isUserEntry(first[0]))
    const said = users.flatMap(({ entries: [first] }) => (first === undefined ? [] : textOfUser(first[0])))
    const found = findSummary({ message: asText(message), items, said })
    if (found === undefined) {
      const last = this.#turns.findLast(({ entries }) => entries.length > 0)?.entries.at(-1)
      if (last !== undefined) last[0].precedesEncrypted = true
      return
    }
    const { position, summary } = found
    this.#turns.push({ entries: [[{ type: 'compaction', summary }, place]], elements: [] })
    for (const [part, item] of items.entries()) if (part !== position) this.#readItem(item, { ...place, part })
    this.#items.end()
    // Versions of 2025 write no history: they keep the newest messages of the user.
    if (!Array.isArray(history))
      for (const [part, turn] of newest(users).entries()) this.#takeOver(turn, { ...place, part })
  }

  #takeOver({ entries: [first], elements: [element] }: Turn, place: ElementPlace): void {
    if (first === undefined || element === undefined) return
    const { range, kind } = element
    this.#turns.push({ entries: [[{ ...first[0], id: '' }, place]], elements: [{ ...place, range, kind }] })
  }
}

const isUserEntry = (entry: Added[0]): boolean => entry.type === 'message' && entry.message.role === 'user'

const textOfUser = (entry: Added[0]): string[] =>
  entry.type === 'message' && entry.message.role === 'user' ? [textOf(entry.message.content)] : []

/** How much text of the user Codex of 2025 keeps: 20,000 tokens. */
const KEPT_CHARACTERS = 80_000

const newest = (turns: readonly Turn[]): Turn[] =>
  firstThatFit(
    turns.toReversed(),
    KEPT_CHARACTERS,
    ({ entries: [added] }) => JSON.stringify(added?.[0]).length,
  ).reverse()
