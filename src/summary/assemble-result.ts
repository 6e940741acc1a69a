import type { Segments } from '../prompt/task.ts'
import type { Redaction } from '../redact/redaction.ts'
import type { CompactionReply } from '../schemas/compaction-reply.ts'
import type { FileLists, Entry } from '../session/entry.ts'
import type { Cooperative } from '../runtime/cooperative.ts'
import { appendFileTags } from '../files/file-tags.ts'
import type { CheckedDraft } from './draft.ts'
import { deriveShortSummary } from './short-summary.ts'
import { restoreEssentials, type SummaryInputs } from './restore-essentials.ts'
import { reportOn } from './report.ts'

/**
 * Returns the reply's texts: the drafts merged, what no compaction may lose added by code, and file tags at the end
 * (planning rules 8 and 9). All of it is redacted once more.
 */
export function* assembleResult({ inputs, files, drafts, redaction, startedAt }: Parts): Cooperative<AssembledResult> {
  const { history, turnPrefix } = drafts
  const written = { history: history?.text, turnPrefix: turnPrefix?.text }
  const { summary, ...essentials } = yield* restoreEssentials(written, inputs)
  // The turn that was split is newer than the history.
  const fromModel = turnPrefix?.shortSummary ?? history?.shortSummary
  const shortSummary = fromModel ?? deriveShortSummary(turnPrefix?.text ?? history?.text ?? summary)
  const texts = { summary: redaction.text(appendFileTags(summary, files)), shortSummary: redaction.text(shortSummary) }
  const report = reportOn(Object.values(drafts), { startedAt, redactions: redaction.count(), essentials })
  return { ...texts, details: files, report }
}

interface Parts {
  inputs: SummaryInputs
  files: FileLists
  drafts: Segments<CheckedDraft>
  redaction: Redaction
  /** When the request came, in milliseconds since the epoch. */
  startedAt: number
}

/** What every compaction replies, whatever its form. */
export type AssembledResult = Pick<CompactionReply, 'summary' | 'shortSummary' | 'details' | 'report'>

/**
 * The data that the newest compaction in play asked to have preserved, to be handed on where a request brings none.
 * `openaiRemoteCompaction` is left out: it stands for a history that the new summary replaces (docs/contract.md, "Entries form").
 */
export function carryPreserveData(branch: readonly Entry[]): Record<string, unknown> | undefined {
  const newest = branch.findLast(({ type }) => type === 'compaction' || type === 'reset_boundary')
  const { openaiRemoteCompaction: _replaced, ...rest } = newest?.compaction?.preserveData ?? {}
  return Object.keys(rest).length > 0 ? rest : undefined
}
