import { appendLines, lineStart, type SessionAppender, type PostedSession } from '../appender.ts'
import { elementText, fieldsAround, readElement } from '../shared/elements.ts'

interface PiMaterial {
  start: '' | '\n'
  parentId: string
  /** Session version 1 has no ids: it counts the lines, its header is line 0. */
  isNumbered: boolean
  /** The text up to the end of the list and after it, if the session is one document. */
  around?: readonly [before: string, after: string]
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
    const around = session.isLines ? {} : { around: aroundEnd(session) }
    return { start: lineStart(session), parentId, isNumbered, ...around }
  },

  write({ start, parentId, isNumbered, around }, compacted) {
    const { summary, shortSummary, details, firstKeptEntryId, tokensBefore, at, uuid } = compacted
    const { readFiles, modifiedFiles } = details
    const timestamp = new Date(at).toISOString()
    const place = isNumbered
      ? { firstKeptEntryIndex: Number(firstKeptEntryId.slice(1)) + 1 }
      : { id: uuid('compaction').slice(0, 8), parentId, firstKeptEntryId }
    const entry = { type: 'compaction', ...place, timestamp, summary, shortSummary, tokensBefore }
    const added = JSON.stringify({ ...entry, details: { readFiles, modifiedFiles } })
    if (around === undefined) return appendLines(start, [added])
    const [before, after] = around
    return { mode: 'replace', contentType: 'application/json', body: `${before},${added}${after}` }
  },
}

function aroundEnd(session: PostedSession): [before: string, after: string] {
  const [before, after] = fieldsAround(session)
  return [before + session.places.map((element) => elementText(session.body, element)).join(','), after]
}
