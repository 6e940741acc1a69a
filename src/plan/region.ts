import { extractFileTags } from '../files/file-tags.ts'
import { compactionMessage, contextMessage, type ContextMessage } from '../session/context-message.ts'
import type { CompactionFields, Entry, FileLists } from '../session/entry.ts'
import type { Message } from '../session/message.ts'

/** The part of a branch that a plan considers. All positions are indexes into `branch`. */
export interface Region {
  branch: readonly Entry[]
  /** The first entry in play: those before it were reset (planning rule 1). */
  playStart: number
  /** The first entry of the considered region, which ends with the branch (planning rule 3). */
  start: number
  /** The newest readable compaction in play. */
  previous?: PreviousCompaction
}

interface PreviousCompaction {
  entry: Entry
  index: number
  /** Its summary as the context shows it, file tags included. */
  fullSummary: string
  /** Its summary without the file tags; left out where it has nothing else. */
  summary?: string
  /** The paths in the tags. */
  files: FileLists
}

/**
 * Returns the part of a branch that a plan considers: from the first entry that the previous compaction kept, since no
 * summary covers the entries after it (planning rules 1 and 3).
 * @param branch the active branch, oldest first
 */
export function findRegion(branch: readonly Entry[]): Region {
  const playStart = branch.findLastIndex(({ type }) => type === 'reset_boundary') + 1
  const index = branch.findLastIndex((entry) => readableCompaction(entry) !== undefined)
  const entry = branch[index]
  const compaction = entry && readableCompaction(entry)
  if (entry === undefined || compaction === undefined || index < playStart)
    return { branch, playStart, start: playStart }
  const kept = branch.findIndex(({ id }) => id === compaction.firstKeptEntryId)
  const start = kept >= playStart && kept < index ? kept : index + 1
  return { branch, playStart, start, previous: { entry, index, ...readSummary(compaction.summary) } }
}

/** Returns the position of the newest encrypted compaction, or of the entry right before it; -1 without one. */
export const lastEncrypted = (branch: readonly Entry[]): number =>
  branch.findLastIndex(
    ({ compaction, precedesEncrypted }) => precedesEncrypted === true || compaction?.isOpaque === true,
  )

/**
 * Returns an entry's compaction if its text is readable. All rules treat an encrypted one as absent (planning rule 3).
 */
export function readableCompaction({ compaction }: Entry): CompactionFields | undefined {
  return compaction?.isOpaque === true ? undefined : compaction
}

function readSummary(fullSummary: string): Pick<PreviousCompaction, 'fullSummary' | 'summary' | 'files'> {
  const { text, files } = extractFileTags(fullSummary)
  return { fullSummary, files, ...(text.trim() === '' ? {} : { summary: text }) }
}

/**
 * Returns the file lists of earlier summaries (planning rule 9): the details of the compactions and branch summaries in
 * play before the cut, and the tags in the texts of summaries that are messages. The details and tags of the previous
 * compaction count wherever it occurs, since the new summary replaces its summary.
 * @param end the cut: entries from it on do not count
 */
export function* findFileLists({ branch, playStart, previous }: Region, end: number): Generator<FileLists> {
  if (previous !== undefined) yield previous.files
  if (previous?.entry.files !== undefined) yield previous.entry.files
  for (let index = playStart; index < end; index++) {
    const entry = branch[index]
    if (entry === undefined || (entry.type === 'compaction' && readableCompaction(entry) === undefined)) continue
    if (entry.files !== undefined) yield entry.files
    const { message } = entry
    if (message?.role === 'branchSummary' || message?.role === 'compactionSummary')
      yield extractFileTags(message.summary).files
  }
}

/**
 * Returns the messages before the region whose files no list has: those that the previous compaction has covered, if it has no
 * list of its own, as those of most agents (planning rule 9).
 */
export function messagesWithoutList({ branch, playStart, start, previous }: Region): Message[] {
  if (previous === undefined || previous.entry.files !== undefined || hasFiles(previous.files)) return []
  return branch.slice(playStart, start).flatMap(({ message }) => message ?? [])
}

const hasFiles = ({ readFiles, modifiedFiles }: FileLists): boolean => readFiles.length + modifiedFiles.length > 0

type RawMessageOf = (entry: Entry) => Readonly<Record<string, unknown>>

/**
 * Returns the context that a model sees now: the latest compaction's summary, the region that it kept, and the messages
 * after it (docs/contract.md, planning rules 1 to 3).
 * @param branch the active branch, oldest entry first, with whole messages
 * @param rawMessageOf returns the message of an entry as it is in the request
 */
export function buildContext(branch: readonly Entry[], rawMessageOf: RawMessageOf): ContextMessage[] {
  const { start, previous } = findRegion(branch)
  const messages = branch
    .slice(start)
    .flatMap((entry) => (entry.message === undefined ? [] : contextMessage(entry.message, rawMessageOf(entry))))
  return previous === undefined ? messages : [compactionMessage(previous.fullSummary), ...messages]
}
