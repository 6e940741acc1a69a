import { fieldsOf } from '../entry.ts'
import { appendLines, lineStart, type NativeFormat } from './native-format.ts'

interface PiMaterial {
  start: '' | '\n'
  parentId: string
  /** Session version 1 has no ids: it counts the lines, its header is line 0. */
  isNumbered: boolean
}

/** Writes a compaction as pi and oh-my-pi do: one entry, which names the first entry that stays (session version 3). */
export const piNative: NativeFormat<PiMaterial> = {
  prepare(session) {
    const { body, kept } = session
    const [first] = kept
    const raw = fieldsOf(JSON.parse(body.toString('utf8', first.range.start, first.range.end)))
    const parentId = kept.at(-1)?.id ?? first.id
    return { start: lineStart(session), parentId, isNumbered: raw['id'] === undefined }
  },

  write({ start, parentId, isNumbered }, compacted) {
    const { summary, shortSummary, details, firstKeptEntryId, tokensBefore, at, uuid } = compacted
    const { readFiles, modifiedFiles } = details
    const timestamp = new Date(at).toISOString()
    const place = isNumbered
      ? { firstKeptEntryIndex: Number(firstKeptEntryId.slice(1)) + 1 }
      : { id: uuid('compaction').slice(0, 8), parentId, firstKeptEntryId }
    const entry = { type: 'compaction', ...place, timestamp, summary, shortSummary, tokensBefore }
    return appendLines(start, [JSON.stringify({ ...entry, details: { readFiles, modifiedFiles } })])
  },
}
