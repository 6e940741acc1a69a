import type { CompactionFields, Entry, FileLists } from '../session/entry.ts'
import { extractFileTags } from '../files/file-tags.ts'
import { compactionMessage, contextMessage, type ContextMessage } from '../session/context-message.ts'

/** What of a branch the plan is made over. All positions are indexes into `branch`. */
export interface Region {
  branch: readonly Entry[]
  /** What stands before it is out of play (planning rule 1). */
  playStart: number
  /** Where the considered region begins; it lasts to the branch's end (planning rule 3). */
  start: number
  /** The newest compaction in play that can be read. */
  previous?: PreviousCompaction
}

interface PreviousCompaction {
  entry: Entry
  index: number
  /** Its summary as the context shows it, file tags included. */
  fullSummary: string
  /** Its summary without the file tags; left out where nothing else was in it. */
  summary?: string
  /** The paths that stood in the tags. */
  files: FileLists
}

/**
 * Finds what is in play and what of it is considered: from what the previous compaction kept onwards, since that is in
 * no summary yet (planning rules 1 and 3).
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

/** A compaction whose text a remote model holds back is treated as absent, in every rule (planning rule 3). */
export function readableCompaction({ compaction }: Entry): CompactionFields | undefined {
  return compaction?.isOpaque === true ? undefined : compaction
}

function readSummary(fullSummary: string): Pick<PreviousCompaction, 'fullSummary' | 'summary' | 'files'> {
  const { text, files } = extractFileTags(fullSummary)
  return { fullSummary, files, ...(text.trim() === '' ? {} : { summary: text }) }
}

/**
 * Finds the file lists that earlier summaries hand on (planning rule 9): the details of the compactions and branch
 * summaries in play up to the cut, and the tags in the texts of summaries that are messages. The previous compaction's
 * details and tags join wherever it stands, since its summary is the one that is replaced.
 * @param end the cut: no entry from it on is looked at
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
 * Builds what a model sees now: the latest compaction's summary, the region that it kept, and what came after, one
 * message an entry (docs/contract.md, `/context`; planning rules 1 to 3).
 * @param branch the active branch, oldest entry first
 */
export function buildContext(branch: readonly Entry[]): ContextMessage[] {
  const { start, previous } = findRegion(branch)
  const messages = branch.slice(start).flatMap((entry) => contextMessage(entry) ?? [])
  return previous === undefined ? messages : [compactionMessage(previous.fullSummary), ...messages]
}
