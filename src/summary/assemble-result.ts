import type { Spans } from '../model/summarize-spans.ts'
import type { Draft } from '../model/summarizer.ts'
import type { CompactionReply } from '../schemas/compaction-reply.ts'
import type { FileLists } from '../session/entry.ts'
import { appendFileTags } from './append-file-tags.ts'
import { deriveShortSummary } from './derive-short-summary.ts'
import { mergeTurnContext, NO_PRIOR_HISTORY } from './merge-turn-context.ts'
import { readDraft } from './read-draft.ts'
import { reportOn } from './report-on.ts'

/** What every compaction replies, whatever its form. */
export type Result = Pick<CompactionReply, 'summary' | 'shortSummary' | 'details' | 'report'>

/**
 * Makes the reply's texts of the drafts: short summary taken out, turn context merged, file tags at the end (planning
 * rules 8 and 9).
 * @throws Problem `model-failed` where a draft was nothing but tags
 */
export function assembleResult(
  plan: { previousSummary?: string; files: FileLists },
  drafts: Spans<Draft>,
  { startedAt }: { startedAt: number },
): Result {
  const history = drafts.history && readDraft(drafts.history)
  const turnPrefix = drafts.turnPrefix && readDraft(drafts.turnPrefix)
  const before = history?.text ?? plan.previousSummary ?? NO_PRIOR_HISTORY
  const text = turnPrefix === undefined ? before : mergeTurnContext(before, turnPrefix.text)
  // The turn that was split is the newer news.
  const told = turnPrefix?.shortSummary ?? history?.shortSummary
  return {
    summary: appendFileTags(text, plan.files),
    shortSummary: told ?? deriveShortSummary(turnPrefix?.text ?? before),
    details: plan.files,
    report: reportOn(Object.values(drafts), startedAt),
  }
}
