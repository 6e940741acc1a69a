import type { ReadRequest } from '../ingest/read-request.ts'
import { decideAction } from '../plan/decide-action.ts'
import { planCompaction, type CompactionPlan } from '../plan/plan-compaction.ts'
import { pruneToolOutputs } from '../plan/prune-tool-outputs.ts'
import { measureTasks } from '../prompt/build-tasks.ts'
import { redactFiles, startRedaction } from '../redact/redaction.ts'
import type { PlanReply, PlanRequest } from '../schemas/plan.ts'
import type { Entry } from '../session/entry.ts'
import { selectBranch } from '../session/link-session.ts'
import { estimateMessageTokens } from '../tokens/estimate-tokens.ts'
import { preparePlan, type PlannedSession } from './prepare-plan.ts'
import { requestReport, type PipelineServices } from './services.ts'

/**
 * Returns the plan of a compaction: `POST /compaction/plan`. The same body posted to `/compaction` has the same cut
 * point.
 * @throws Problem `invalid-session`
 */
export function planSession(
  { fields: request, session, ignored, format }: ReadRequest<PlanRequest>,
  services: PipelineServices,
): PlanReply {
  const { settings = {} } = request
  const branch = selectBranch(session, request.leafId)
  const plan = planCompaction(branch, settings)
  const { pruned, tokensSaved } = pruneToolOutputs(branch)
  const sent = measurePrompts({ plan, request, branch }, services)
  const isIdle = request.idle === true
  return {
    ...decideAction({ branch, plan, settings, isIdle, prunableTokens: tokensSaved }),
    contextTokens: plan.tokensBefore,
    firstKeptEntryId: plan.cut?.firstKeptEntryId ?? null,
    isSplitTurn: plan.cut?.isSplitTurn ?? false,
    turnStartEntryId: plan.cut?.turnStartEntryId ?? null,
    tokensBefore: plan.tokensBefore,
    tokensKept: plan.tokensKept,
    hasPreviousSummary: plan.previousSummary !== undefined,
    details: redactFiles(plan.files, startRedaction(services.redact)),
    ...sent,
    summarizerWindow: services.summarizerWindow,
    prune: { count: pruned.length, tokensSaved },
    entries: describeEntries(session.entries, branch, plan),
    ...requestReport({ ignored, format }, services.redact),
  }
}

/** Returns the size of what a compaction of this plan would send; zeros when there is nothing to compact. */
function measurePrompts(session: PlannedSession, services: PipelineServices) {
  if (session.plan.cut === null) return { windows: 0, promptTokens: 0 }
  const { writeTasks } = preparePlan(session, services)
  return measureTasks(Object.values(writeTasks()), services.windowLimitTokens)
}

function describeEntries(
  entries: readonly Entry[],
  branch: readonly Entry[],
  plan: CompactionPlan,
): PlanReply['entries'] {
  const regions = new Map(branch.map(({ id }, index) => [id, plan.regions[index]]))
  return entries.map(({ id, type, role, message }) => {
    const region = regions.get(id) ?? 'ignored'
    return {
      id,
      type,
      ...(role === undefined ? {} : { role }),
      tokens: region === 'ignored' || message === undefined ? 0 : estimateMessageTokens(message),
      region,
    }
  })
}
