import { nothingToCompact, type CompactionServices, type PipelineBudget } from './pipeline.ts'
import { estimateTextTokens } from './plan/estimate-tokens.ts'
import { createPace } from './pace.ts'
import { planCompaction } from './plan/plan-compaction.ts'
import { prepareSession } from './prepare-session.ts'
import { startRedaction } from './redact/start-redaction.ts'
import type { CompactionReply } from './schemas/compaction-reply.ts'
import type { SessionForm } from './schemas/compaction-request.ts'
import { readBranch } from './session/read-branch.ts'
import { runInTurns } from './steps.ts'
import { summarizeChecked } from './summarize-checked.ts'
import { assembleResult } from './summary/assemble-result.ts'
import { carryPreserveData } from './summary/carry-preserve-data.ts'
import { expectOfTasks } from './summary/checks/expect-of-tasks.ts'
import { fullDetails } from './summary/full-details.ts'
import { tellPlan } from './tell-plan.ts'

/**
 * Compacts a session: the entries form, NDJSON and the messages form of `POST /compaction`.
 * @throws Problem `invalid-session`, `nothing-to-compact`, or what the summarizer throws
 */
export async function compactSession(
  request: SessionForm,
  services: CompactionServices,
  budget: PipelineBudget,
): Promise<CompactionReply> {
  const pace = createPace(budget.signal)
  const branch = await readBranch(request, pace)
  await pace()
  const planned = planCompaction(branch, request.settings ?? {})
  const { cut, tokensBefore, tokensKept } = planned
  if (cut === null) throw nothingToCompact()
  const redaction = startRedaction(services.redact)
  const preparing = prepareSession({ plan: planned, request, branch }, services, redaction)
  const { plan, tasks, guidance, material } = await runInTurns(preparing, pace)
  const { firstKeptEntryId, isSplitTurn } = cut
  await tellPlan(Object.values(tasks), { ...services, budget }, { firstKeptEntryId, isSplitTurn, tokensBefore })
  const spans = await runInTurns(expectOfTasks(tasks, guidance), pace)
  const drafts = await summarizeChecked(spans, services, budget)
  const parts = { material, files: plan.files, drafts, redaction, startedAt: budget.startedAt }
  const result = await runInTurns(assembleResult(parts), createPace())
  const tokensAfter = tokensKept + estimateTextTokens(result.summary)
  const preserveData = request.preserveData ?? carryPreserveData(branch)
  return {
    ...result,
    details: request.details === 'full' ? fullDetails(plan, tokensAfter) : result.details,
    firstKeptEntryId,
    isSplitTurn,
    tokensBefore,
    tokensAfter,
    ...(preserveData === undefined ? {} : { preserveData }),
  }
}
