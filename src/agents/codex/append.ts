import { fieldsOf } from '../../session/entry.ts'
import { summaryOf } from './read.ts'
import { isUserItem } from '../apis/responses-items.ts'
import { appendLines, lineStart, type SessionAppender, type PostedSession } from '../appender.ts'
import { rawField, rawItems, rawLines, type RawLine } from '../shared/raw-json.ts'

interface CodexMaterial {
  start: '' | '\n'
  /** The number of the new line, in rollouts whose lines have one (0.169). */
  ordinal?: number
  /** The kept items, as JSON. */
  items: readonly string[]
}

/**
 * Writes a compaction as Codex does for servers without a compaction of their own: a line `compacted` with the new history by value
 * (0.120 and 0.169). Codex adds its instructions and its environment again. Bare rollouts of 2025 have no such line.
 */
export const codexAppender: SessionAppender<CodexMaterial> = {
  prepare(session) {
    if (!session.isLines) return undefined
    const history = new History(session)
    let last: RawLine['value'] = {}
    for (const line of linesFrom(session)) {
      last = line.value
      history.apply(line)
    }
    if (!isEnvelope(last)) return undefined
    const { ordinal } = last
    const isNumbered = typeof ordinal === 'number' && Number.isSafeInteger(ordinal)
    return {
      start: lineStart(session),
      items: keptItems(history.items(), session),
      ...(isNumbered ? { ordinal: ordinal + 1 } : {}),
    }
  },

  write({ start, ordinal, items }, { summary, at }) {
    const content = [{ type: 'input_text', text: PREFIX + summary }]
    const history = [JSON.stringify({ type: 'message', role: 'user', content }), ...items]
    const line = JSON.stringify({
      timestamp: new Date(at).toISOString(),
      ...(ordinal === undefined ? {} : { ordinal }),
      type: 'compacted',
      payload: { message: summary },
    })
    return appendLines(start, [`${line.slice(0, -2)},"replacement_history":[${history.join(',')}]}}`])
  },
}

/** What Codex writes before a summary, and by which it recognizes one (0.120 and 0.169). */
export const PREFIX =
  'Another language model started to solve this problem and produced a summary of its thinking process. You also have ' +
  'access to the state of the tools that were used by that language model. Use this to build on the work that has already ' +
  'been done and avoid duplicating work. Here is the summary produced by the other language model, use the information in ' +
  'this summary to assist with your own analysis:\n'

const INSTRUCTIONS = new Set<unknown>(['developer', 'system'])

/**
 * Returns the lines from the entry before the kept ones on, since items before an answer may belong to it; all lines if the
 * kept ones begin with messages that a compaction of 2025 has taken over.
 */
function linesFrom({ body, kept, before }: PostedSession): Generator<RawLine> {
  const [{ range: first }] = kept
  const { type, payload } = fieldsOf(JSON.parse(body.toString('utf8', first.start, first.end)))
  if (type === 'compacted' && !hasHistory(payload)) return rawLines(body, { start: 0, index: 0 })
  const { range, index } = before ?? kept[0]
  return rawLines(body, { start: range.start, index })
}

const hasHistory = (payload: unknown): boolean => Array.isArray(fieldsOf(payload)['replacement_history'])

interface FoundItem {
  json: string
  /** The role of a message, or the type of another item. */
  role: unknown
  index: number
  /** The position in the history of a compaction. */
  part?: number
}

/** The items as the lines have built their list, by turns of the user: a rollback removes the newest of them. */
class History {
  readonly #firstIndex: number
  #turns: { isUsers: boolean; items: FoundItem[] }[] = [{ isUsers: false, items: [] }]

  constructor({ kept: [{ index }] }: PostedSession) {
    this.#firstIndex = index
  }

  apply({ index, text, value: { type, payload } }: RawLine): void {
    const { type: event, num_turns: turns } = fieldsOf(payload)
    if (type === 'response_item') this.#add(rawField(text, 'payload'), { index })
    else if (type === 'event_msg' && event === 'thread_rolled_back') this.#rollBack(turns)
    // The text of a later compaction is encrypted: its history only repeats the lines before it.
    if (type !== 'compacted' || index !== this.#firstIndex) return
    if (!hasHistory(payload)) this.#takeOver(index)
    for (const [part, item] of rawItems(rawField(text, 'payload', 'replacement_history')).entries())
      if (summaryOf(JSON.parse(item)) === undefined) this.#add(item, { index, part })
  }

  items(): FoundItem[] {
    return this.#turns.flatMap(({ items }) => items)
  }

  #add(json: string | undefined, place: Pick<FoundItem, 'index' | 'part'>): void {
    if (json === undefined) return
    const item = fieldsOf(JSON.parse(json))
    if (isUserItem(item)) this.#turns.push({ isUsers: true, items: [] })
    this.#turns.at(-1)?.items.push({ json, role: item['role'] ?? item['type'], ...place })
  }

  #rollBack(turns: unknown): void {
    let left = typeof turns === 'number' ? turns : 0
    while (left > 0 && this.#turns.length > 1) if (this.#turns.pop()?.isUsers === true) left -= 1
  }

  /** Versions of 2025 write no history: they keep the newest messages of the user. */
  #takeOver(index: number): void {
    const asked = this.#turns.filter(({ isUsers }) => isUsers).map(({ items }) => items.slice(0, 1))
    this.#turns = asked.map((items) => ({ isUsers: true, items: items.map((item) => ({ ...item, index })) }))
    this.#turns.unshift({ isUsers: false, items: [] })
  }
}

/** Returns the items that stay, without instructions, which Codex adds again. */
function keptItems(found: readonly FoundItem[], { kept, isWhole }: PostedSession): string[] {
  const [first] = kept
  const isFirst = ({ index }: { index: number }): boolean => index === first.index
  const { part: from = 0 } = first
  const onFirstLine = found.filter(isFirst)
  const hasParts = onFirstLine.some(({ part }) => part !== undefined)
  const begun = new Set(
    hasParts ? onFirstLine.filter(({ part = 0 }) => part >= from) : onFirstLine.slice(-kept.filter(isFirst).length),
  )
  const end = isWhole ? Infinity : (kept.at(-1)?.index ?? 0)
  const items: string[] = []
  let reasoning: string[] = []
  for (const item of found.filter(({ index }) => index <= end)) {
    // Encrypted reasoning is not an entry, but the answer after it is not valid without it. Before a message of the user, it is
    // that of an answer that was interrupted.
    if (item.index > first.index || begun.has(item)) {
      if (INSTRUCTIONS.has(item.role)) continue
      if (item.role !== 'user') for (const one of reasoning) items.push(one)
      items.push(item.json)
      reasoning = []
    } else if (item.role === 'reasoning') reasoning.push(item.json)
    else reasoning = []
  }
  return items
}

const isEnvelope = ({ type, payload }: RawLine['value']): boolean =>
  typeof type === 'string' && typeof payload === 'object' && payload !== null
