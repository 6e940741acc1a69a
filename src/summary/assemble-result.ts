import type { Spans } from '../model/summarize-spans.ts'
import type { Redaction } from '../redact/start-redaction.ts'
import type { CompactionReply } from '../schemas/compaction-reply.ts'
import type { FileLists } from '../session/entry.ts'
import type { Steps } from '../steps.ts'
import { appendFileTags } from './append-file-tags.ts'
import type { CheckedDraft } from './check-draft.ts'
import { deriveShortSummary } from './derive-short-summary.ts'
import { keepEssentials, type Material } from './keep-essentials.ts'
import { reportOn } from './report-on.ts'

/** What every compaction replies, whatever its form. */
export type Result = Pick<CompactionReply, 'summary' | 'shortSummary' | 'details' | 'report'>

interface Parts {
  material: Material
  files: FileLists
  drafts: Spans<CheckedDraft>
  redaction: Redaction
  /** When the request came, in milliseconds since the epoch. */
  startedAt: number
}

/**
 * Makes the reply's texts of the drafts: turn context merged, what no compaction may lose put in by code, file tags at
 * the end (planning rules 8 and 9). What is written anew goes through the redaction once more.
 */
export function* assembleResult({ material, files, drafts, redaction, startedAt }: Parts): Steps<Result> {
  const { history, turnPrefix } = drafts
  const written = { history: history?.text, turnPrefix: turnPrefix?.text }
  const { summary, ...essentials } = yield* keepEssentials(written, material)
  // The turn that was split is the newer news.
  const told = turnPrefix?.shortSummary ?? history?.shortSummary
  const shortSummary = told ?? deriveShortSummary(turnPrefix?.text ?? history?.text ?? summary)
  const texts = { summary: redaction.text(appendFileTags(summary, files)), shortSummary: redaction.text(shortSummary) }
  const report = reportOn(Object.values(drafts), { startedAt, redactions: redaction.count(), essentials })
  return { ...texts, details: files, report }
}
