import { fieldsOf, isObject, type Entry } from '../entry.ts'
import { timeOfCompaction } from '../kept-answers.ts'
import { SNAPSHOT_ACKNOWLEDGEMENT } from '../formats/gemini-parts.ts'
import { appendLines, lineStart, type Compacted, type NativeFormat, type PostedSession } from './native-format.ts'
import { rawDocument, rawField, rawItems, rawLines, type RawLine } from './raw-json.ts'

interface GeminiMaterial {
  start: '' | '\n'
  /** The kept records, as JSON. */
  records: readonly string[]
  /** Whether the first of them is an answer of the model. */
  beginsWithAnswer: boolean
  /** The text around the list, if the session is one object (before 2026). */
  around?: readonly [before: string, after: string]
}

/** Returns a summary as Gemini CLI writes it (0.61.0). */
export const wrapSnapshot = (summary: string): string => `<state_snapshot>\n${summary}\n</state_snapshot>`

/** Writes a compaction as Gemini CLI does: a line that replaces all messages (`$set.messages`, 0.61.0). */
export const geminiNative: NativeFormat<GeminiMaterial> = {
  prepare(session) {
    const found = session.isLines ? keptOfLines(session) : keptOfDocument(session)
    const [first] = found.records
    if (first === undefined) return undefined
    const { type } = fieldsOf(JSON.parse(first))
    return { start: lineStart(session), beginsWithAnswer: type === 'gemini', ...found }
  },

  write({ start, records, beginsWithAnswer, around }, compacted) {
    const times = records.map((record) => fieldsOf(JSON.parse(record))['timestamp'])
    const [summary, acknowledgement] = newRecords(compacted, timeOfCompaction(compacted.at, times))
    const list = [summary, ...(beginsWithAnswer ? [] : [acknowledgement]), ...records].join(',')
    if (around !== undefined) {
      const [before, after] = around
      return { mode: 'replace', contentType: 'application/json', body: `${before}${list}${after}` }
    }
    const lastUpdated = JSON.stringify(new Date(compacted.at).toISOString())
    return appendLines(start, [`{"$set":{"messages":[${list}],"lastUpdated":${lastUpdated}}}`])
  },
}

function newRecords({ summary, uuid }: Compacted, time: number): [summary: string, acknowledgement: string] {
  const timestamp = new Date(time).toISOString()
  const record = (name: string, type: string, text: string): string =>
    JSON.stringify({ id: uuid(name), timestamp, type, content: [{ text }] })
  return [
    record('summary', 'user', wrapSnapshot(summary)),
    record('acknowledgement', 'gemini', SNAPSHOT_ACKNOWLEDGEMENT),
  ]
}

/** The list of messages as the lines have built it: a record with a known id replaces the earlier one. */
class Records {
  #stored = new Map<string, { json: string; index: number; part: number | undefined }>()
  /** Their ids, in order. */
  #order: string[] = []

  apply({ index, text, value }: RawLine): void {
    const { $set: change, $rewindTo: rewindTo, id } = value
    const path = isObject(change) ? ['$set', 'messages'] : ['messages']
    if (Array.isArray(isObject(change) ? change['messages'] : value['messages']))
      this.#replace(rawItems(rawField(text, ...path)), index)
    else if (isObject(change)) return
    else if (typeof rewindTo === 'string') this.#rewind(rewindTo)
    else if (typeof id === 'string' && id !== '' && typeof value['type'] === 'string')
      this.#store(id, { json: text, index, part: undefined })
  }

  /** Returns the records from the one of an entry to that of another. */
  between(first: Entry, last: Entry | undefined): string[] {
    const records = [...this.#stored.values()]
    const find = (entry: Entry): number =>
      records.findIndex(({ index, part }) => index === entry.index && part === entry.part)
    const from = find(first)
    const to = last === undefined ? records.length : find(last) + 1
    return from < 0 ? [] : records.slice(from, to).map(({ json }) => json)
  }

  #replace(items: readonly string[], index: number): void {
    this.#stored = new Map(items.map((json, part) => [idOf(json), { json, index, part }]))
    this.#order = [...this.#stored.keys()]
  }

  #store(id: string, record: { json: string; index: number; part: number | undefined }): void {
    if (!this.#stored.has(id)) this.#order.push(id)
    this.#stored.set(id, record)
  }

  #rewind(target: string): void {
    for (let id = this.#order.pop(); id !== undefined; id = this.#order.pop()) {
      this.#stored.delete(id)
      if (id === target) return
    }
  }
}

function idOf(json: string): string {
  const { id } = fieldsOf(JSON.parse(json))
  return typeof id === 'string' ? id : ''
}

function keptOfLines({ body, kept, isWhole }: PostedSession): Pick<GeminiMaterial, 'records'> {
  const records = new Records()
  for (const line of rawLines(body, { start: 0, index: 0 })) records.apply(line)
  return { records: records.between(kept[0], isWhole ? undefined : kept.at(-1)) }
}

function keptOfDocument({ body, kept }: PostedSession): Pick<GeminiMaterial, 'records' | 'around'> {
  const { text, items } = rawDocument(body)
  const records = items.slice(kept[0].index).map(({ start, end }) => text.slice(start, end))
  const [start, end] = [items[0]?.start ?? 0, items.at(-1)?.end ?? 0]
  return { records, around: [text.slice(0, start), text.slice(end)] }
}
