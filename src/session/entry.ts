import type { Message } from './message.ts'

/** File lists as a compaction or branch summary carries them in its details. */
export interface FileLists {
  readFiles: string[]
  modifiedFiles: string[]
}

/** What the planning rules need of a `compaction` entry. */
export interface CompactionFields {
  summary: string
  firstKeptEntryId?: string
  preserveData?: Record<string, unknown>
  /** True where `preserveData.openaiRemoteCompaction` replaced the text: such a summary cannot be read (rule 3). */
  isOpaque: boolean
}

/** A node of the session tree, normalised: ids are always there, old versions are upgraded, the raw form stays at hand. */
export interface Entry {
  /** Position in the request's body, header and blank lines counted: the N of `/entries/N` in a problem's pointer. */
  index: number
  id: string
  parentId: string | null
  type: string
  /** What the entry contributes to the context; undefined for metadata, excluded and system messages (rule 2). */
  message?: Message
  compaction?: CompactionFields
  /** Files from the details of a compaction or branch summary; left out where an extension wrote them (rule 9). */
  files?: FileLists
  raw: Record<string, unknown>
}
/**
 * Where an entry stood in its body, for pointers, where that is not its place in the list: blank lines of a session file
 * are counted and not kept.
 */
export const KNOWN_PLACE = Symbol('place')
/**
 * Under this key a raw message carries the tokens of the whole of which it was made, where parts of it were left out as it
 * came. No JSON has such a key.
 */
export const KNOWN_TOKENS = Symbol('tokens')

/** A session tree, every entry of the body in order. */
export interface Session {
  entries: Entry[]
  byId: ReadonlyMap<string, Entry>
}
