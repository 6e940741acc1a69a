import type {
  RawBranchSummaryEntry,
  RawCompactionEntry,
  RawCustomMessageEntry,
  RawEntry,
  RawMessageEntry,
} from '../schemas/entry.ts'
import type { CompactionFields, Entry, FileLists } from './entry.ts'
import type { Message } from './message.ts'
import { readContent } from './read-content.ts'
import { readMessage } from './read-message.ts'

/** An entry's place: ids are decided before it is read, since session version 1 has none. */
export interface EntryPlace {
  index: number
  id: string
  parentId: string | null
}

/** Session version 1 counts the header line as 0, so the first entry is line 1 (planning rule 1). */
const idOfLine = (line: number | null | undefined): string | undefined =>
  line === null || line === undefined ? undefined : `e${line - 1}`

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []

/** Reads one checked entry: what it contributes, and the fields that the planning rules need. */
export function readEntry(raw: RawEntry, place: EntryPlace): Entry {
  const { index, id, parentId } = place
  const entry: Entry = { index, id, parentId, type: raw.type, raw }
  const message = raw['excludeFromContext'] === true ? undefined : readContribution(raw)
  if (message !== undefined) entry.message = message
  if (raw.type === 'compaction') entry.compaction = readCompaction(raw as RawCompactionEntry)
  const files = readFileLists(raw)
  if (files !== undefined) entry.files = files
  return entry
}

/** The message that an entry contributes to the context (planning rule 2). */
function readContribution(raw: RawEntry): Message | undefined {
  switch (raw.type) {
    case 'message':
      return readMessage((raw as RawMessageEntry).message)
    case 'custom_message':
      return { role: 'custom', content: readContent((raw as RawCustomMessageEntry).content) }
    case 'branch_summary':
      return { role: 'branchSummary', summary: (raw as RawBranchSummaryEntry).summary }
    default:
      return undefined
  }
}

function readCompaction(raw: RawCompactionEntry): CompactionFields {
  const preserveData = raw.preserveData ?? undefined
  const firstKeptEntryId = raw.firstKeptEntryId ?? idOfLine(raw.firstKeptEntryIndex)
  return {
    summary: raw.summary,
    isOpaque: preserveData?.['openaiRemoteCompaction'] !== undefined && preserveData['openaiRemoteCompaction'] !== null,
    ...(firstKeptEntryId === undefined ? {} : { firstKeptEntryId }),
    ...(preserveData === undefined ? {} : { preserveData }),
  }
}

/** Files in the details of a compaction or branch summary, unless an extension wrote them (planning rule 9). */
function readFileLists(raw: RawEntry): FileLists | undefined {
  if (raw.type !== 'compaction' && raw.type !== 'branch_summary') return undefined
  if (raw['fromHook'] === true || raw['fromExtension'] === true) return undefined
  const details = raw['details'] as { readFiles?: unknown; modifiedFiles?: unknown } | null | undefined
  return { readFiles: strings(details?.readFiles), modifiedFiles: strings(details?.modifiedFiles) }
}
