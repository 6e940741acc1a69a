import type { FileLists } from '../session/entry.ts'
import { readableCompaction, type Region } from './find-region.ts'
import { takeFileTags } from './take-file-tags.ts'

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
      yield takeFileTags(message.summary).files
  }
}
