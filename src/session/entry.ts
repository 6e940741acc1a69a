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

/** A part of a body: `start` is the index of its first byte, `end` the index after its last one. */
export interface ByteRange {
  start: number
  end: number
}

/** The range of a value whose place in the body is not needed. */
export const NO_RANGE: ByteRange = { start: 0, end: 0 }

export interface ElementPlace {
  /** The N of `/entries/N` in a problem's pointer: the position in the request's body, header and blank lines included. */
  index: number
  /** The element in the body, without the white space around it. For a message of a transcript: its UTF-16 units there. */
  range: ByteRange
  /** The position in a list inside the element, if that has several messages: those that a compaction has kept by value. */
  part?: number
}

/** An element of a document, with what a compaction that is written back must know of it: some are no entry. */
export interface SourceElement extends ElementPlace {
  /**
   * Its kind in a list of messages; in a list of events, whether it is shown to the model or is a summary. Instructions, and
   * reasoning that is encrypted, are not entries.
   */
  kind?: 'instruction' | 'reasoning' | 'user' | 'assistant' | 'shown' | 'summary' | undefined
  /** The id that the agent gave it. */
  id?: string | number | undefined
  /** The id of the element that it follows, in a tree. */
  parentId?: string
  /** When it was written, in milliseconds since the epoch; undefined if it does not say it. */
  timeMs?: number
  /** Whether it names a summary that covers it. */
  isCovered?: boolean
  /** Whether a summary is among the blocks of its content. */
  hasSummary?: boolean
  /** The index of the element with which its entry begins, in a tree. */
  entryIndex?: number
}

/** A normalised node of the session tree: it always has an id, and older session versions are upgraded. */
export interface Entry extends ElementPlace {
  id: string
  parentId: string | null
  type: string
  /** The role of the message as it is in the request; only for entries of the type `message`. */
  role?: string
  /** The message that the entry adds to the context; undefined for metadata, excluded and system messages (rule 2). */
  message?: Message
  /** The files with rules of the project that the client showed to the model after it. */
  projectFiles?: ProjectFile[]
  /** What the session has after it besides, such as a file that the client attached: only look-ups read it. */
  asides?: Message[]
  /** The work of sub-agents after it: it is in no context of the agent, and only look-ups read it. */
  sideChain?: Message[]
  /** True if an encrypted compaction follows it that is no entry: the agent no longer sees it (plans treat it as absent, rule 3). */
  precedesEncrypted?: true
  compaction?: CompactionFields
  /** The files in the details of a compaction or branch summary, unless an extension wrote them (rule 9). */
  files?: FileLists
  /** The model that an entry of the type `model_change` selects, as `provider/id` if both are known. */
  selectedModel?: string
}

/** A file with rules of the project, such as CLAUDE.md. */
export interface ProjectFile {
  path: string
  text: string
}

/** An entry with its ids as they are in the request: session version 1 has none. */
export type UnlinkedEntry = Omit<Entry, 'id' | 'parentId'> & {
  id: string | undefined
  parentId: string | null | undefined
}

/** A session tree, with every entry of the body in order. */
export interface Session {
  entries: Entry[]
  byId: ReadonlyMap<string, Entry>
  /** The leaf that the session names itself; undefined if it is the last entry. */
  leafId?: string
  /** The folder in which the session begins, if it names one. */
  cwd?: string
  /** The context window of the agent's model, if the session names it. */
  contextWindow?: number
}

/** Returns the fields of a value that no schema has checked; an empty object, if the value is not an object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

/** Returns the value of a JSON text; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the value of a JSON text; any other text as it is. */
export function jsonOrText(text: string): unknown {
  const value = parseJson(text)
  return value === undefined ? text : value
}

/** Returns the first of some fields of such a value that is a text. */
export function firstText(value: unknown, names: readonly string[]): string | undefined {
  const fields = fieldsOf(value)
  return names.map((name) => fields[name]).find((one) => typeof one === 'string')
}

/** Returns the fields of the object that a text is as JSON; an empty object for any other text, which is not parsed. */
export const parseFields = (text: string): Readonly<Record<string, unknown>> =>
  fieldsOf(text.startsWith('{') ? parseJson(text) : undefined)

/** Returns whether a JSON value is an object, and no array. */
export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && !Array.isArray(value)

/** Returns whether a JSON value is an object or an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
