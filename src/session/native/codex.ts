import { fieldsOf } from '../entry.ts'
import { summaryOf } from '../formats/codex.ts'
import { appendLines, lineStart, type NativeFormat, type PostedSession } from './native-format.ts'
import { rawField, rawItems, rawLines, type RawLine } from './raw-json.ts'

interface CodexMaterial {
  start: '' | '\n'
  /** The number of the new line, in rollouts whose lines have one (0.169). */
  ordinal?: number
  /** The kept items, as JSON. */
  items: readonly string[]
}

/**
 * Writes a compaction as Codex does for servers that have none of their own: a line `compacted` with the new history by value
 * (0.120 and 0.169). Codex adds its instructions and its environment again. Bare rollouts of 2025 have no such line.
 */
export const codexNative: NativeFormat<CodexMaterial> = {
  prepare(session) {
    if (!session.isLines) return undefined
    const items: string[] = []
    let reasoning: string[] = []
    let last: RawLine['value'] = {}
    for (const line of linesFrom(session)) {
      last = line.value
      for (const { item, isKept } of itemsOf(line, session)) {
        // Reasoning that nobody can read is not an entry, but the answer after it is not valid without it.
        const role = roleOf(item)
        if (!isKept) reasoning = role === 'reasoning' ? [...reasoning, item] : []
        else if (!INSTRUCTIONS.has(role)) items.push(...reasoning.splice(0), item)
      }
    }
    if (!isEnvelope(last)) return undefined
    const { ordinal } = last
    const isNumbered = typeof ordinal === 'number' && Number.isSafeInteger(ordinal)
    return { start: lineStart(session), items, ...(isNumbered ? { ordinal: ordinal + 1 } : {}) }
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

/** Returns the lines from the entry before the kept ones on, since items before an answer may belong to it. */
function linesFrom({ body, kept, before }: PostedSession): Generator<RawLine> {
  const { range, index } = before ?? kept[0]
  return rawLines(body, { start: range.start, index })
}

interface FoundItem {
  /** As JSON. */
  item: string
  isKept: boolean
}

/** Returns the items of a line: one, or those of the history of an earlier compaction. */
function itemsOf({ index, text, value }: RawLine, { kept, isWhole }: PostedSession): FoundItem[] {
  const [first] = kept
  const isAfter = index > first.index
  if (!isWhole && index > (kept.at(-1)?.index ?? 0)) return []
  if (value['type'] === 'response_item') {
    const item = rawField(text, 'payload')
    return item === undefined ? [] : [{ item, isKept: isAfter || index === first.index }]
  }
  // A later history repeats what the lines before it have: it is that of a compaction that nobody can read.
  if (value['type'] !== 'compacted' || index !== first.index) return []
  const items = rawItems(rawField(text, 'payload', 'replacement_history'))
  const found = items.map((item, part) => ({ item, isKept: part >= (first.part ?? 0) }))
  return found.filter(({ item }) => summaryOf(JSON.parse(item)) === undefined)
}

/** Returns the role of a message, or the type of another item. */
function roleOf(item: string): unknown {
  const { type, role } = fieldsOf(JSON.parse(item))
  return role ?? type
}

const isEnvelope = ({ type, payload }: RawLine['value']): boolean =>
  typeof type === 'string' && typeof payload === 'object' && payload !== null
