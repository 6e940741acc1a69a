import { SNAPSHOT_ACKNOWLEDGEMENT, wrapSnapshot } from '../apis/gemini-parts.ts'
import { appendLines, lineStart, replaceDocument, type FinishedCompaction, type SessionAppender } from '../appender.ts'
import { findElement, newestTime, partReader, splitAtCut, textAround, timeOfCompaction } from '../shared/elements.ts'
import { rawField, rawFields } from '../shared/raw-json.ts'

interface GeminiMaterial {
  start: '' | '\n'
  /** The kept records, as JSON. */
  records: readonly { json: string; hasId: boolean }[]
  /** The newest time of a kept record. */
  newestMs?: number
  /** Whether the first of them is an answer of the model. */
  beginsWithAnswer: boolean
  /** The text around the list, if the session is one object (before 2026). */
  around?: readonly [before: string, after: string]
}

/** Writes a compaction as Gemini CLI does: a line that replaces all messages (`$set.messages`, 0.61.0). */
export const geminiAppender: SessionAppender<GeminiMaterial> = {
  prepare(session) {
    const { elements, isWhole, kept: entries } = session
    const end = isWhole ? undefined : findElement(elements, entries.at(-1) ?? entries[0]) + 1
    const { kept } = splitAtCut({ ...session, elements: elements.slice(0, end) })
    const [first] = kept
    if (first === undefined) return undefined
    const readPart = partReader(session.body, listIn)
    const newestMs = newestTime(kept)
    const around = session.isLines ? undefined : textAround(session)
    return {
      start: lineStart(session),
      beginsWithAnswer: first.kind === 'assistant',
      records: kept.map((element) => ({ json: readPart(element), hasId: element.id !== undefined })),
      ...(newestMs !== undefined && { newestMs }),
      ...(around && { around }),
    }
  },

  write({ start, records, newestMs, beginsWithAnswer, around }, compacted) {
    const [summary, acknowledgement] = newRecords(compacted, timeOfCompaction(compacted.at, newestMs))
    const kept = records.map(({ json, hasId }, at) => (hasId ? json : withId(json, compacted.uuid(`record ${at}`))))
    const list = [summary, ...(beginsWithAnswer ? [] : [acknowledgement]), ...kept].join(',')
    if (around !== undefined) return replaceDocument(around.join(list))
    const lastUpdated = JSON.stringify(new Date(compacted.at).toISOString())
    return appendLines(start, [`{"$set":{"messages":[${list}],"lastUpdated":${lastUpdated}}}`])
  },
}

function newRecords({ summary, uuid }: FinishedCompaction, time: number): [summary: string, acknowledgement: string] {
  const timestamp = new Date(time).toISOString()
  const record = (name: string, type: string, text: string): string =>
    JSON.stringify({ id: uuid(name), timestamp, type, content: [{ text }] })
  return [
    record('summary', 'user', wrapSnapshot(summary)),
    record('acknowledgement', 'gemini', SNAPSHOT_ACKNOWLEDGEMENT),
  ]
}

/** Returns the list of records in a line. */
const listIn = (line: string): string | undefined =>
  rawField(line, ...(rawField(line, '$set') === undefined ? ['messages'] : ['$set', 'messages']))

/** Returns a record with an id: Gemini CLI finds the records of a list by their ids, and would lose one without. */
const withId = (record: string, id: string): string =>
  `{${[`"id":${JSON.stringify(id)}`, ...rawFields(record, ['id'])].join(',')}}`
