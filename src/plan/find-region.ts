import type { CompactionFields, Entry, FileLists } from '../session/entry.ts'
import { takeFileTags } from './take-file-tags.ts'

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

export interface PreviousCompaction {
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
  const { text, files } = takeFileTags(fullSummary)
  return { fullSummary, files, ...(text.trim() === '' ? {} : { summary: text }) }
}
