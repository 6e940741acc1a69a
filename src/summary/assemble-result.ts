import { appendFileTags } from '../files/file-tags.ts'
import { endsOfPath, inFolder, MAX_COMPARED_FOLDERS, plainPath } from '../files/paths.ts'
import type { ToolRuns } from '../extract/runs.ts'
import type { Segments } from '../prompt/task.ts'
import type { Redaction } from '../redact/redaction.ts'
import type { CompactionReply } from '../schemas/compaction-reply.ts'
import type { FormatId } from '../schemas/format.ts'
import type { Ignored } from '../schemas/ignored.ts'
import type { Entry, FileLists } from '../session/entry.ts'
import type { CheckedDraft } from './draft.ts'
import { writeRecallNote, type RecallNote } from './looking-up.ts'
import { reportOn, type ReportNotes } from './report.ts'
import { restoreEssentials } from './restore-essentials.ts'
import type { SummaryInputs } from './summary-inputs.ts'
import { deriveShortSummary } from './short-summary.ts'
import { readSummary } from './summary.ts'

/**
 * Returns the texts of the reply: the merged drafts, with the content that no compaction may lose, and with file tags
 * at the end (planning rules 8 and 9). All texts are redacted again.
 */
export function assembleResult({
  inputs,
  files: listed,
  recallNote,
  drafts,
  redaction,
  ...facts
}: Parts): AssembledResult {
  const { history, turnPrefix } = drafts
  const { summary, deletedFiles, ...essentials } = restoreEssentials({ history, turnPrefix }, inputs)
  const files = existingFiles(listed, deletedFiles, onlyFolderOf(inputs.runs))
  // The summary of a split turn is newer than the summary of the history.
  const fromModel = turnPrefix?.shortSummary ?? history?.shortSummary
  const shortSummary = fromModel ?? deriveShortSummary(turnPrefix ?? history ?? readSummary(summary))
  const whole = recallNote === undefined ? summary : `${summary}\n\n${writeRecallNote(recallNote)}`
  const texts = { summary: redaction.text(appendFileTags(whole, files)), shortSummary: redaction.text(shortSummary) }
  const report = reportOn(Object.values(drafts), { ...facts, redactions: redaction.count(), essentials })
  return { ...texts, details: files, report }
}

interface Parts {
  inputs: SummaryInputs
  files: FileLists
  /** Adds the section about looking things up. */
  recallNote?: RecallNote | undefined
  drafts: Segments<CheckedDraft>
  redaction: Redaction
  /** The time at which the request arrived, in milliseconds since the epoch. */
  startedAt: number
  /** The parts of the request that were not read. */
  ignored?: Ignored | undefined
  format?: FormatId | undefined
  notes?: ReportNotes | undefined
}

/** The part of a compaction's reply that is the same in all forms. */
export type AssembledResult = Pick<CompactionReply, 'summary' | 'shortSummary' | 'details' | 'report'>

/**
 * Returns the data that the newest compaction asked to preserve, for requests that bring none.
 * `openaiRemoteCompaction` is left out: it represents a history that the new summary replaces (docs/contract.md,
 * "Entries form").
 */
export function carryPreserveData(branch: readonly Entry[]): Record<string, unknown> | undefined {
  const newest = branch.findLast(({ type }) => type === 'compaction' || type === 'reset_boundary')
  const { openaiRemoteCompaction: _replaced, ...rest } = newest?.compaction?.preserveData ?? {}
  return Object.keys(rest).length > 0 ? rest : undefined
}

/**
 * Returns lists of files without those that are known to be deleted, and those of deleted folders. A command may name a file by a
 * relative path: that is the only listed one that ends with it, or none.
 * @param folder the folder from which all relative paths begin; empty where it is not known
 */
export function existingFiles(
  { readFiles, modifiedFiles }: FileLists,
  deleted: readonly string[],
  folder = '',
): FileLists {
  if (deleted.length === 0) return { readFiles, modifiedFiles }
  const names = new Set([...readFiles, ...modifiedFiles].map(plainPath))
  const byEnd = new Map<string, string[]>()
  for (const name of names)
    for (const end of endsOfPath(name)) byEnd.set(end, [...(byEnd.get(end) ?? []).slice(0, 1), name])
  const gone = new Set(
    folder === ''
      ? deleted.map(plainPath).map((path) => (names.has(path) ? path : onlyOf(byEnd.get(path), path)))
      : deleted.map((path) => inFolder(folder, path)),
  )
  const placeOf = (path: string): string => (folder === '' ? plainPath(path) : inFolder(folder, path))
  const exists = (path: string): boolean => !startsOf(placeOf(path)).some((start) => gone.has(start))
  return { readFiles: readFiles.filter(exists), modifiedFiles: modifiedFiles.filter(exists) }
}

/** Returns the folder of all runs that are known to have one; empty where they have several. */
function onlyFolderOf(runs: ToolRuns): string {
  const folders = new Set(Array.from(runs.values(), ({ folder }) => folder ?? ''))
  folders.delete('')
  const [only = ''] = folders
  return folders.size === 1 ? only : ''
}

/** Returns the only path that ends with a deleted one; the deleted one, which may be a folder, if there is none or more than one. */
const onlyOf = (paths: readonly string[] = [], deleted: string): string =>
  paths.length === 1 && paths[0] !== undefined ? paths[0] : deleted

/** Returns a path and the folders that it is in, but the root. */
function startsOf(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(-MAX_COMPARED_FOLDERS).map((_part, index) => parts.slice(0, parts.length - index).join('/'))
}
