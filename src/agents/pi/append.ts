import {
  addAtEnd,
  lineStart,
  type DocumentEnd,
  type PostedSession,
  type SessionAppender,
  type SessionEnd,
} from '../appender.ts'
import { elementText, fieldsAround, readElement } from '../shared/elements.ts'

interface PiMaterial {
  end: SessionEnd
  parentId: string
  /** Session version 1 has no ids: it counts the lines, its header is line 0. */
  isNumbered: boolean
}

/** Writes a compaction as pi and oh-my-pi do: one entry, which names the first entry that stays (session version 3). */
export const piAppender: SessionAppender<PiMaterial> = {
  prepare(session) {
    const { body, kept } = session
    const [first] = kept
    const isNumbered = readElement(body, first, ['id'])['id'] === undefined
    // Without ids, entries after the branch would follow the first one that is kept.
    if (isNumbered && !session.isWhole) return undefined
    const parentId = kept.at(-1)?.id ?? first.id
    return { end: session.isLines ? { start: lineStart(session) } : documentEnd(session), parentId, isNumbered }
  },

  write({ end, parentId, isNumbered }, compacted) {
    const { summary, shortSummary, details, firstKeptEntryId, tokensBefore, at, uuid } = compacted
    const { readFiles, modifiedFiles } = details
    const timestamp = new Date(at).toISOString()
    const place = isNumbered
      ? { firstKeptEntryIndex: Number(firstKeptEntryId.slice(1)) + 1 }
      : { id: uuid('compaction').slice(0, 8), parentId, firstKeptEntryId }
    const entry = { type: 'compaction', ...place, timestamp, summary, shortSummary, tokensBefore }
    return addAtEnd(end, [JSON.stringify({ ...entry, details: { readFiles, modifiedFiles } })])
  },
}

/** Returns a document up to the end of its list and the rest, without the fields that belong to the request. */
function documentEnd(session: PostedSession): DocumentEnd {
  const [before, tail] = fieldsAround(session)
  return { head: before + session.places.map((element) => elementText(session.body, element)).join(','), tail }
}
