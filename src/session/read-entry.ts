import type { RawBranchSummaryEntry, RawCompactionEntry, RawEntry } from '../schemas/entry.ts'
import type { CompactionFields, Entry, FileLists } from './entry.ts'
import { fieldsOf } from './entry.ts'
import type { Message } from './message.ts'
import { readContent } from './read-content.ts'
import { readMessage } from './read-message.ts'

/** The place of an entry in its session. The ids are decided before the entry is read: session version 1 has none. */
type EntryPlace = Pick<Entry, 'index' | 'id' | 'parentId'>

/** Reads one checked entry: its message, and the fields that the planning rules need. */
export function readEntry(raw: RawEntry, { index, id, parentId }: EntryPlace): Entry {
  const entry: Entry = { index, id, parentId, type: raw.type, raw }
  const message = raw['excludeFromContext'] === true ? undefined : readEntryMessage(raw)
  if (message !== undefined) entry.message = message
  if (raw.type === 'compaction') entry.compaction = readCompaction(raw)
  if (raw.type === 'compaction' || raw.type === 'branch_summary') {
    const files = readFileLists(raw)
    if (files !== undefined) entry.files = files
  }
  return entry
}

/** Returns the message that an entry adds to the context (planning rule 2). */
function readEntryMessage(raw: RawEntry): Message | undefined {
  switch (raw.type) {
    case 'message':
      return readMessage(raw.message)
    case 'custom_message':
      return { role: 'custom', content: readContent(raw.content) }
    case 'branch_summary':
      return { role: 'branchSummary', summary: raw.summary }
    default:
      return undefined
  }
}

function readCompaction(raw: RawCompactionEntry): CompactionFields {
  const preserveData = raw.preserveData ?? undefined
  const firstKeptEntryId = raw.firstKeptEntryId ?? idOfLine(raw.firstKeptEntryIndex)
  return {
    summary: raw.summary,
    isOpaque: (preserveData?.['openaiRemoteCompaction'] ?? null) !== null,
    ...(firstKeptEntryId === undefined ? {} : { firstKeptEntryId }),
    ...(preserveData === undefined ? {} : { preserveData }),
  }
}

/** Session version 1 counts the header line as 0, so the first entry is line 1 (planning rule 1). */
function idOfLine(line: number | null | undefined): string | undefined {
  return line === null || line === undefined ? undefined : `e${line - 1}`
}

/** Returns the files in the details of a summary, unless an extension wrote the summary (planning rule 9). */
function readFileLists(raw: RawCompactionEntry | RawBranchSummaryEntry): FileLists | undefined {
  if (raw.fromHook === true || raw.fromExtension === true) return undefined
  const { readFiles, modifiedFiles } = fieldsOf(raw.details)
  return { readFiles: stringsOf(readFiles), modifiedFiles: stringsOf(modifiedFiles) }
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
