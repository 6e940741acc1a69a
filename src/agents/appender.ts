import { Problem } from '../errors.ts'
import { LINE_FEED } from '../text/json-scan.ts'
import type { Entry, FileLists, SourceElement } from '../session/entry.ts'

/** The records with which an agent's own storage continues after a compaction. */
export interface Native {
  /** `append` to the session file, `replace` it, or write a file beside it. */
  mode: 'append' | 'replace' | 'sidecar'
  contentType: string
  body: string
  /** The list alone, as a JSON array: only of lists of messages. */
  history?: string
}

/** A session as it was posted, and what a compaction keeps of it. */
export interface PostedSession {
  body: Buffer
  /** Whether the body has one JSON value on each line. */
  isLines: boolean
  /** The elements of the document in their order. */
  places: readonly SourceElement[]
  /** Those that the agent still has, in the order in which it reads them. */
  elements: readonly SourceElement[]
  /** The entries that stay, oldest first. They are whole elements of the document. */
  kept: readonly [Entry, ...Entry[]]
  /** Whether the branch ends where the session ends. */
  isWhole: boolean
  /** Fields of a document that belong to the request, and not to the session. */
  requestFields: readonly string[]
}

/** The facts that are known once the summary is written. */
export interface FinishedCompaction {
  /** Without control tags. */
  summary: string
  shortSummary: string
  details: FileLists
  firstKeptEntryId: string
  tokensBefore: number
  tokensAfter: number
  /** Milliseconds since the epoch. */
  at: number
  /** Returns a hash of the request and a name, in the form of a UUID. */
  uuid: (name: string) => string
}

/** How a compaction is written back into the storage of an agent. */
export interface SessionAppender<M extends object> {
  /** Whether sessions are lists of messages, which are replaced as a whole. */
  isList?: true
  /** Whether the agent reads a compaction from another file than the session. */
  isBeside?: true
  /**
   * Returns what must be known of the session: plain data. Undefined if the session has no place for a compaction.
   * @throws Problem `no-native-form` if messages would be lost, or stay beside their summary, with what to do
   */
  prepare: (session: PostedSession) => M | undefined
  write: (material: M, compacted: FinishedCompaction) => Native
}

/**
 * Returns the problem of a session into which a compaction cannot be written as the agent would read it.
 * @param reason what is wrong, where, and what to do, in sentences
 */
export const cannotWriteBack = (reason: string): Problem =>
  new Problem('no-native-form', `A compaction cannot be written back into this session. ${reason}`)

/** Returns the line feed that must be between a body without one at its end and the lines that are appended to it. */
export const lineStart = ({ body, isLines }: Pick<PostedSession, 'body' | 'isLines'>): '' | '\n' =>
  isLines && body.at(-1) !== LINE_FEED ? '\n' : ''

/** Returns lines that are appended to a session file. @param start what `lineStart` returned */
export const appendLines = (start: '' | '\n', lines: readonly string[]): Native => ({
  mode: 'append',
  contentType: 'application/x-ndjson',
  body: `${start}${lines.join('\n')}\n`,
})

/** Returns a document that takes the place of the session. */
export const replaceDocument = (body: string): Native => ({ mode: 'replace', contentType: 'application/json', body })

/** A document up to the end of its last element, and the rest. */
export interface DocumentEnd {
  head: string
  tail: string
}

/** Where elements are added to a session: to a file of lines with what `lineStart` returned, or to the list of a document. */
export type SessionEnd = { start: '' | '\n' } | DocumentEnd

/** Returns a session to which elements were added, which are JSON. */
export const addAtEnd = (end: SessionEnd, elements: readonly string[]): Native =>
  'start' in end ? appendLines(end.start, elements) : replaceDocument([end.head, ...elements].join(',') + end.tail)

/** The length up to which a text of a session is copied into a new line: paths and names are shorter. */
const MAX_COPIED_CHARACTERS = 4096

/** Returns those of the named fields that are texts of a sensible length: anyone may have written the session. */
export function copyTexts<Name extends string>(
  fields: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): { [name in Name]?: string } {
  const copied: { [name in Name]?: string } = {}
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (typeof value === 'string' && value.length <= MAX_COPIED_CHARACTERS) copied[name] = value
  }
  return copied
}
