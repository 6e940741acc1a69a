import type { FileLists } from '../session/entry.ts'
import { readableCompaction, type Region } from './find-region.ts'
import { takeFileTags } from './take-file-tags.ts'

/**
 * Finds the file lists that earlier summaries hand on (planning rule 9): the details of the compactions and branch
 * summaries in play up to the cut, and the tags in the branch summaries' texts. The previous compaction's details and
 * tags join wherever it stands, since its summary is the one that is replaced.
 * @param end the cut: no entry from it on is looked at
 */
export function* findFileLists({ branch, playStart, previous }: Region, end: number): Generator<FileLists> {
  if (previous !== undefined) yield previous.files
  if (previous?.entry.files !== undefined) yield previous.entry.files
  for (let index = playStart; index < end; index++) {
    const entry = branch[index]
    const isUnreadable = entry?.compaction !== undefined && readableCompaction(entry) === undefined
    if (entry?.files !== undefined && !isUnreadable) yield entry.files
    if (entry?.message?.role === 'branchSummary') yield takeFileTags(entry.message.summary).files
  }
}
