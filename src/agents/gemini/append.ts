import { fieldsOf, type Entry } from '../../session/entry.ts'
import { timeOfCompaction } from '../../session/kept-answers.ts'
import { SNAPSHOT_ACKNOWLEDGEMENT } from './parts.ts'
import { GeminiRecords, type StoredRecord } from './records.ts'
import { appendLines, lineStart, type Compacted, type SessionAppender, type PostedSession } from '../appender.ts'
import { rawDocument, rawField, rawItems, rawLines, rawParts } from '../shared/raw-json.ts'

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
export const geminiAppender: SessionAppender<GeminiMaterial> = {
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
    const kept = records.map((record, at) => withId(record, compacted.uuid(`record ${at}`)))
    const list = [summary, ...(beginsWithAnswer ? [] : [acknowledgement]), ...kept].join(',')
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

/** A place in a body, and the line there: a record on it, or a line with a list of records. */
interface RawPlace {
  index: number
  part?: number
  text: string
}

function keptOfLines({ body, kept, isWhole }: PostedSession): Pick<GeminiMaterial, 'records'> {
  const list = new GeminiRecords<RawPlace>()
  for (const { index, text, value } of rawLines(body, { start: 0, index: 0 })) list.apply(value, { index, text })
  return { records: between(list.all(), kept[0], isWhole ? undefined : kept.at(-1)).map(rawRecords()) }
}

function keptOfDocument({ body, kept, isWhole }: PostedSession): Pick<GeminiMaterial, 'records' | 'around'> {
  const { text, items } = rawDocument(body)
  const list = new GeminiRecords<RawPlace>()
  for (const [index, { start, end }] of items.entries()) {
    const json = text.slice(start, end)
    list.apply(fieldsOf(JSON.parse(json)), { index, text: json })
  }
  const records = between(list.all(), kept[0], isWhole ? undefined : kept.at(-1)).map(rawRecords())
  const [start, end] = [items[0]?.start ?? 0, items.at(-1)?.end ?? 0]
  return { records, around: [text.slice(0, start), text.slice(end)] }
}

/** Returns the records from the one of an entry to that of another. */
function between(
  records: readonly StoredRecord<RawPlace>[],
  first: Entry,
  last: Entry | undefined,
): StoredRecord<RawPlace>[] {
  const find = (entry: Entry): number =>
    records.findIndex(({ place: { index, part } }) => index === entry.index && part === entry.part)
  const from = find(first)
  return from < 0 ? [] : records.slice(from, last === undefined ? undefined : find(last) + 1)
}

/** Returns a function that returns a record as JSON. The records of one line follow each other. */
function rawRecords(): (stored: StoredRecord<RawPlace>) => string {
  let open: { index: number; items: readonly string[] } | undefined
  return ({ place: { index, part, text } }) => {
    if (part === undefined) return text
    if (open?.index !== index) open = { index, items: itemsOf(text) }
    return open.items[part] ?? ''
  }
}

const itemsOf = (line: string): string[] =>
  rawItems(rawField(line, ...(rawField(line, '$set') === undefined ? ['messages'] : ['$set', 'messages'])))

/** Returns a record with an id: Gemini CLI finds the records of a list by their ids, and would lose one without. */
function withId(record: string, newId: string): string {
  const { id } = fieldsOf(JSON.parse(record))
  if (typeof id === 'string' && id !== '') return record
  const others = rawParts(record).filter(({ name }) => name !== 'id')
  const fields = others.map(({ name, start, end }) => `${JSON.stringify(name)}:${record.slice(start, end)}`)
  return `{${[`"id":${JSON.stringify(newId)}`, ...fields].join(',')}}`
}
