import type { CompactionPlan } from '../plan/plan-compaction.ts'
import type { FullDetails } from '../schemas/compaction-reply.ts'
import type { FileLists } from '../session/entry.ts'
import { describeWork } from './describe-work.ts'

/**
 * The details for those who want more (`"details": "full"`): the file lists, what was done in the summarized span, and
 * what the compaction saved.
 * @param tokensAfter our estimate of the context after it
 */
export function fullDetails(plan: CompactionPlan, tokensAfter: number): FileLists & FullDetails {
  const summarized = [...plan.history, ...plan.turnPrefix]
  return {
    ...plan.files,
    ...describeWork(summarized),
    coveredEntryIds: [summarized[0], summarized.at(-1)].flatMap((entry) => entry?.id ?? []),
    tokensSaved: plan.tokensBefore - tokensAfter,
    compressionRatio: plan.tokensBefore === 0 ? 1 : tokensAfter / plan.tokensBefore,
  }
}
