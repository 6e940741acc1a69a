import { readInclude } from '../../ingest/read-query.ts'
import { readingOf, readRequest, type ReadRequest } from '../../ingest/read-request.ts'
import type { Work, WorkContext } from '../../jobs/protocol.ts'
import { decideAction } from '../../plan/decide-action.ts'
import { planCompaction, type CompactionPlan } from '../../plan/plan-compaction.ts'
import { pruneToolOutputs } from '../../plan/prune-tool-outputs.ts'
import { findMarks } from '../../prompt/find-marks.ts'
import { measureTasks } from '../../prompt/measure-tasks.ts'
import type { SummaryTask } from '../../prompt/task.ts'
import { redactFiles, startRedaction } from '../../redact/redaction.ts'
import { PLAN_FORMS, PLAN_PARTS, type PlannedPrompt, type PlanReply, type PlanRequest } from '../../schemas/plan.ts'
import { selectBranch } from '../../session/link-session.ts'
import { preparePlan, searchSession, type PlannedSession } from '../shared/prepare-plan.ts'
import { replyWith, requestReport } from '../shared/reply.ts'
import { describeEntries } from './describe-entries.ts'

/** The additional fields of the reply. */
type PlanParts = ReadonlySet<(typeof PLAN_PARTS)[number]>

const NO_PARTS: PlanParts = new Set()

const READING = readingOf(PLAN_FORMS, false)

export default {
  start(received, context) {
    const { include, others: query } = readInclude(received.query, PLAN_PARTS)
    const request = readRequest({ ...received, query }, READING, context)
    return replyWith(planSession({ ...request, include }, context))
  },
} satisfies Work

/**
 * Returns the plan of a compaction: `POST /compaction/plan`. The same body posted to `/compaction` has the same cut
 * point.
 * @throws Problem `invalid-session`
 */
export function planSession(
  {
    fields: request,
    session,
    source,
    ignored,
    format,
    include = NO_PARTS,
  }: ReadRequest<PlanRequest> & { include?: PlanParts },
  context: WorkContext,
): PlanReply {
  const { settings = {} } = request
  const branch = selectBranch(session, request.leafId)
  const plan = planCompaction(branch, settings)
  const { pruned, tokensSaved } = pruneToolOutputs(branch)
  const planned = { plan, request, branch }
  // Without a cut, and without entries to show, only paths are returned.
  const isSearched = plan.cut !== null || include.has('entries')
  const redaction = isSearched ? searchSession(planned, context) : startRedaction(context.redact)
  const sent = writePrompts({ ...planned, redaction }, { context, isShown: include.has('prompts') })
  const isIdle = request.idle === true
  return {
    ...decideAction({ branch, plan, settings, isIdle, prunableTokens: tokensSaved }),
    firstKeptEntryId: plan.cut?.firstKeptEntryId ?? null,
    isSplitTurn: plan.cut?.isSplitTurn ?? false,
    turnStartEntryId: plan.cut?.turnStartEntryId ?? null,
    ...sizesOf(plan),
    hasPreviousSummary: plan.previousSummary !== undefined,
    details: redactFiles(plan.files, redaction),
    ...sent,
    summarizerWindow: context.summarizerWindow,
    prune: { count: pruned.length, tokensSaved },
    entries: describeEntries(session.entries, {
      branch,
      plan,
      redaction: include.has('entries') ? redaction : undefined,
      offset: source.offset,
    }),
    ...requestReport({ ignored, format }, context.redact),
  }
}

const sizesOf = (plan: CompactionPlan) => ({
  contextTokens: plan.tokensBefore,
  tokensBefore: plan.tokensBefore,
  tokensOutside: plan.tokensOutside,
  ...(plan.lastTokensOutside !== undefined && { lastTokensOutside: plan.lastTokensOutside }),
  previousSummaryTokens: plan.previousSummaryTokens,
  tokensKept: plan.tokensKept,
  keep: plan.keep,
})

/** Returns the size of what a compaction of this plan would send, and the prompts if they are shown. */
function writePrompts(
  session: PlannedSession,
  { context, isShown }: { context: WorkContext; isShown: boolean },
): Pick<PlanReply, 'windows' | 'promptTokens' | 'prompts' | 'previousSummary'> {
  if (session.plan.cut === null) return { windows: 0, promptTokens: 0, ...(isShown ? { prompts: [] } : {}) }
  const { plan, writeTasks } = preparePlan(session, context)
  const tasks = writeTasks()
  const size = measureTasks(Object.values(tasks), context.windowLimitTokens)
  if (!isShown) return size
  const { previousSummary } = plan
  const prompts = [
    ...(tasks.history === undefined ? [] : [showPrompt('history', tasks.history)]),
    ...(tasks.turnPrefix === undefined ? [] : [showPrompt('turn-prefix', tasks.turnPrefix)]),
  ]
  return { ...size, prompts, ...(previousSummary === undefined ? {} : { previousSummary }) }
}

function showPrompt(segment: PlannedPrompt['segment'], task: SummaryTask): PlannedPrompt {
  const { systemPrompt = '', chunking, promptTokens, maxTokens } = task
  const prompt = task.prompt.toString()
  const unitsTo = (bytes: number): number => task.prompt.toString('utf8', 0, bytes).length
  const transcript = { start: unitsTo(chunking?.start ?? 0), end: unitsTo(chunking?.end ?? task.prompt.length) }
  return { segment, systemPrompt, prompt, tokens: promptTokens, maxTokens, transcript, marks: findMarks(prompt) }
}
