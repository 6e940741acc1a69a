import type { Message } from './message.ts'

/** The file lists in the details of a compaction or branch summary. */
export interface FileLists {
  readFiles: string[]
  modifiedFiles: string[]
}

/** The fields of a `compaction` entry that the planning rules need. */
export interface CompactionFields {
  summary: string
  firstKeptEntryId?: string
  preserveData?: Record<string, unknown>
  /** True if the history is stored at a provider (`preserveData.openaiRemoteCompaction`), so the summary has no text (rule 3). */
  isOpaque: boolean
}

/** A normalised node of the session tree: it always has an id, and older session versions are upgraded. */
export interface Entry {
  /** The N of `/entries/N` in a problem's pointer: the position in the request's body, header and blank lines included. */
  index: number
  id: string
  parentId: string | null
  type: string
  /** The message that the entry adds to the context; undefined for metadata, excluded and system messages (rule 2). */
  message?: Message
  compaction?: CompactionFields
  /** The files in the details of a compaction or branch summary, unless an extension wrote them (rule 9). */
  files?: FileLists
  /** The entry as it is in the request. */
  raw: Record<string, unknown>
}

/**
 * The key of a raw entry's index in its body, if that is not its index in the list: blank lines of a session file count
 * in pointers, but are not in the list. No JSON value has this key.
 */
export const KNOWN_PLACE = Symbol('place')

/**
 * The key of a raw message's tokens before it was trimmed. No JSON value has this key.
 */
export const KNOWN_TOKENS = Symbol('tokens')

/** A session tree, with every entry of the body in order. */
export interface Session {
  entries: Entry[]
  byId: ReadonlyMap<string, Entry>
}

/** Returns the fields of a value that no schema has checked; an empty object, if the value is not an object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

/** Returns whether a JSON value is an object or an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
