import { fieldsOf, type ElementPlace, type FileLists, type ProjectFile, type SourceElement } from '../session/entry.ts'
import type { Message } from '../session/message.ts'
import { readTime } from '../text/read-time.ts'
import type { Fields } from './shared/values.ts'

/** The beginning of a document, by which its format is recognized. */
export interface Sample {
  /** The fields of a document that is an object, without its list; empty for lines and arrays. */
  fields: Fields
  /** The first values: lines, or elements of the list. */
  values: readonly unknown[]
}

/** Reads sessions of one agent or API. */
export interface SessionReader {
  detect: (sample: Sample) => boolean
  /** Returns whether a text that is not JSON has this format. The values of such a document are its lines. */
  detectText?: (head: string) => boolean
  /** Returns what a compaction that is written back must know of a value; without it, `describeMessage`. */
  describe?: (value: Fields) => ElementFacts
  /** Returns a reader of one document. */
  open: (sink: EntrySink) => ValueReader
}

/** Reads the values of a document in their order, whatever they are: a broken value is never an error. */
export interface ValueReader {
  read: (value: unknown, place: ElementPlace) => void
  /** Called after the last value, with the fields of a document that is an object. */
  end?: (fields: Fields) => void
}

/** Results of calls of one message. A client may write them as siblings, although the model gets all of them. */
export interface ResultGroup {
  lastId: string
}

/** An entry as it is read. Without an id, or with an empty one, its id is its place, such as `line:7`. */
export type ReadEntry = {
  id?: string | undefined
  parentId?: string | null | undefined
  precedesEncrypted?: true
} & (
  | { type: 'message'; message: Message }
  | { type: 'compaction'; summary: string; firstKeptEntryId?: string; files?: FileLists | undefined }
  | { type: 'branch_summary'; summary: string }
)

/** The facts of an element that the reader of a list of values notes. */
export type ElementFacts = Pick<SourceElement, 'kind' | 'id' | 'timeMs' | 'isCovered' | 'hasSummary'>

/** Returns what a compaction that is written back must know of a message, or of an item of the Responses API. */
export function describeMessage({ role, type, timestamp }: Fields): Pick<SourceElement, 'kind' | 'timeMs'> {
  const time = typeof timestamp === 'number' ? timeFact(timestamp) : {}
  if (role === 'system' || role === 'developer') return { kind: 'instruction', ...time }
  if (type === 'reasoning') return { kind: type, ...time }
  if (role === 'assistant' || role === 'model') return { kind: 'assistant', ...time }
  return role === 'user' ? { kind: role, ...time } : time
}

/** Dates are defined up to this number of milliseconds before and after the epoch (ECMAScript, "Time Values"). */
const MAX_TIME_MS = 8.64e15

/** Returns the time of an element as a fact; none for a value that is no time. */
export function timeFact(time: unknown): Pick<SourceElement, 'timeMs'> {
  const timeMs = readTime(time)
  return Math.abs(timeMs) <= MAX_TIME_MS ? { timeMs } : {}
}

/** Counts a value or a block of an unknown type. */
export type Ignore = (group: 'entryTypes' | 'roles' | 'blocks', name: string) => void

/** Receives the entries of a document. */
export interface EntrySink {
  /**
   * Adds an entry. If another entry has its id, it gets that of its place.
   * @param group the results that it belongs to: an entry after any of them follows all of them
   */
  add: (entry: ReadEntry, place: ElementPlace, group?: ResultGroup) => void
  /** Adds a node of a tree that is not an entry: its children follow its parent. */
  skip: (id: string, parentId: string | null) => void
  /**
   * Adds messages to an entry, or to the entry that a skipped node follows, that are not in its context: only look-ups read them.
   * @param files those with rules of the project among them
   */
  aside: (id: string, messages: readonly Message[], files?: readonly ProjectFile[]) => void
  /** The same for the work of sub-agents, which the agent has never seen. */
  sideChain: (id: string, messages: readonly Message[]) => void
  has: (id: string) => boolean
  /** Names the newest entry of the active branch, or a skipped node below it; without it, the last entry is the newest one. */
  setLeaf: (id: string) => void
  /** Names the elements that the agent still has, in the order in which it reads them; without it, those of the document. */
  setElements: (elements: readonly SourceElement[]) => void
  /** Names the context window of the agent's model, in tokens. The last one counts. */
  setWindow: (tokens: number) => void
  /** Removes all entries. */
  clear: () => void
  ignore: Ignore
}

/** An entry, with its position in the value if that has a list of several. */
export type PartEntry = ReadEntry & { part?: number }

/** The parts of a reader that a list of messages needs: only trees have nodes that are skipped, and several leaves. */
export type ListSink = Pick<EntrySink, 'add' | 'ignore'>

/** Reads lists of messages of an API. */
export interface ListReader extends SessionReader {
  open: (sink: ListSink) => ValueReader
}

/** Opens readers of documents whose values are read one by one. @param read returns the entries of a value */
export const eachValue =
  (read: (value: Fields, ignore: Ignore, place: ElementPlace) => readonly PartEntry[]): ListReader['open'] =>
  ({ add, ignore }) => ({
    read: (value, place) => {
      for (const { part, ...entry } of read(fieldsOf(value), ignore, place))
        add(entry, part === undefined ? place : { ...place, part })
    },
  })
