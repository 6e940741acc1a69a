import type { RawEntry } from '../schemas/entry.ts'
import type { ElementPlace } from '../session/entry.ts'

/** The beginning of a document, by which its format is recognized. */
export interface Sample {
  /** The fields of a document that is an object, without its list; empty for lines and arrays. */
  fields: Readonly<Record<string, unknown>>
  /** The first values: lines, or elements of the list. */
  values: readonly unknown[]
}

/** Reads sessions of one agent or API. */
export interface SessionReader {
  /** Returns whether a document has this format. */
  detect: (sample: Sample) => boolean
  /** Returns whether a text that is not JSON has this format. The values of such a document are its lines. */
  detectText?: (head: string) => boolean
  /** Returns a reader of one document. */
  open: (sink: EntrySink) => ValueReader
}

/** Reads the values of a document in their order, whatever they are: a broken value is never an error. */
export interface ValueReader {
  read: (value: unknown, place: ElementPlace) => void
  /** Called after the last value, with the fields of a document that is an object. */
  end?: (fields: Sample['fields']) => void
}

/** Results of calls of one message. A client may write them as siblings, although the model gets all of them. */
export interface ResultGroup {
  lastId: string
}

/** Receives the entries of a document, in the format of pi. */
export interface EntrySink {
  /**
   * Adds an entry. Without an id, or with one that another entry has, its id is its place, such as `line:7`.
   * @param group the results that it belongs to: an entry after any of them follows all of them
   */
  add: (entry: RawEntry, place: ElementPlace, group?: ResultGroup) => void
  /** Adds a node of a tree that is not an entry: its children follow its parent. */
  skip: (id: string, parentId: string | null) => void
  /** Returns whether an entry or a skipped node has the id. */
  has: (id: string) => boolean
  /** Names the newest entry of the active branch, or a skipped node below it; without it, the last entry is the newest one. */
  setLeaf: (id: string) => void
  /** Removes all entries. */
  clear: () => void
  /** Counts a value or a block of an unknown type. */
  ignore: (group: 'entryTypes' | 'roles' | 'blocks', name: string) => void
}
