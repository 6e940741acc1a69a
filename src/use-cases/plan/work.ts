import { readInclude } from '../../ingest/read-query.ts'
import { readingOf, readRequest, type ReadRequest } from '../../ingest/read-request.ts'
import type { SummaryLookup, Work, WorkContext } from '../../jobs/protocol.ts'
import { decideAction } from '../../plan/decide-action.ts'
import { planCompaction, type CompactionPlan } from '../../plan/plan-compaction.ts'
import { pruneToolOutputs } from '../../plan/prune-tool-outputs.ts'
import { findMarks } from '../../prompt/find-marks.ts'
import { measureTasks } from '../../prompt/chunk-prompt.ts'
import type { SummaryTask } from '../../prompt/task.ts'
import { redactFiles, startRedaction } from '../../redact/redaction.ts'
import { PLAN_FORMS, PLAN_PARTS, type PlanReply, type PlanRequest } from '../../schemas/plan.ts'
import type { PlannedPrompt } from '../../schemas/planned-prompt.ts'
import { selectBranch } from '../../session/link-session.ts'
import { defined } from '../../text/defined.ts'
import { choosePrepared, type PreparedChoice } from '../shared/choose-prepared.ts'
import { findEncrypted } from '../shared/readable-compactions.ts'
import { preparePlan, searchSession, withCutOf, type PlannedSession } from '../shared/prepare-plan.ts'
import { replyWith, requestReport } from '../shared/reply.ts'
import { withSessionWindow } from '../shared/session-window.ts'
import { transcriptPartOf, type TranscriptPart } from '../shared/transcript-part.ts'
import { describeCompactions } from './describe-compactions.ts'
import { describeEntries } from './describe-entries.ts'

/** The additional fields of the reply. */
type PlanParts = ReadonlySet<(typeof PLAN_PARTS)[number]>

const NO_PARTS: PlanParts = new Set()

const READING = readingOf(PLAN_FORMS, false)

export default {
  start(received, context) {
    const { include, others: query } = readInclude(received.query, PLAN_PARTS)
    const request = readRequest({ ...received, query }, READING, context)
    const plan = planSession({ ...withSessionWindow(request), include }, context)
    return 'kind' in plan ? plan : replyWith(plan)
  },
} satisfies Work

/**
 * Returns the plan of a compaction: `POST /compaction/plan`. The same body posted to `/compaction` has the same cut
 * point, unless a preparation begins or ends between the two.
 * @throws Problem `invalid-session`
 */
export function planSession(
  read: ReadRequest<PlanRequest> & { include?: PlanParts },
  context: WorkContext,
): PlanReply | SummaryLookup {
  const { fields: request, session, source, include = NO_PARTS } = read
  const { settings = {} } = request
  const branch = selectBranch(session, request.leafId)
  const found = findPlan({ plan: planCompaction(branch, settings), request, branch }, context)
  if (found.kind === 'lookup') return found
  const { planned, used, part, isNear } = found
  const { plan } = planned
  const { pruned, tokensSaved } = pruneToolOutputs(branch)
  // Without a cut, and without entries to show, only paths are returned.
  const isSearched = plan.cut !== null || include.has('entries') || include.has('compactions')
  const redaction = isSearched ? searchSession(planned, context) : startRedaction(context.redact)
  const shown = { context, isShown: include.has('prompts'), isSent: used?.use !== 'whole' }
  const sent = writePrompts({ ...planned, part, redaction }, shown)
  const isPreparable = context.windowLimitTokens !== undefined && !isNear
  const situation = { branch, plan, settings, isIdle: request.idle === true, prunableTokens: tokensSaved }
  return {
    ...decideAction({ ...situation, isPreparable }),
    contextWindow: settings.contextWindow ?? null,
    ...describePlan(plan),
    ...defined({ encryptedAt: findEncrypted(session.entries, branch) }),
    ...describePrepared(used, planned),
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
    ...(include.has('compactions') && { compactions: describeCompactions(branch, { redaction, format: read.format }) }),
    ...requestReport(read, context.redact),
  }
}

/** A planned session as a compaction would plan it, and the prepared summary that this would use. */
interface FoundPlan {
  kind?: undefined
  planned: PlannedSession
  used?: PreparedChoice
  /** The part that a model would read after an earlier summary. */
  part?: TranscriptPart
  /** Whether a preparation now would be too early. */
  isNear: boolean
}

function findPlan(own: PlannedSession, context: WorkContext): FoundPlan | SummaryLookup {
  const chosen = own.plan.cut === null ? undefined : choosePrepared(own, context, { mayWait: false })
  if (chosen === undefined || chosen.kind === 'lookup') return chosen ?? { planned: own, isNear: false }
  const { isNear, hasFailed } = chosen
  if (hasFailed === true) return { planned: own, isNear }
  if (chosen.use === 'whole') return { planned: { ...own, plan: withCutOf(chosen, own) }, used: chosen, isNear }
  const part = transcriptPartOf(own, { base: chosen, isEarly: false }, context)
  return { planned: own, used: chosen, isNear, ...(part && { part }) }
}

const describePlan = ({ cut, tokensBefore, previousSummary, ...plan }: CompactionPlan) => ({
  firstKeptEntryId: cut?.firstKeptEntryId ?? null,
  isSplitTurn: cut?.isSplitTurn ?? false,
  turnStartEntryId: cut?.turnStartEntryId ?? null,
  contextTokens: tokensBefore,
  tokensBefore,
  tokensOutside: plan.tokensOutside,
  ...(plan.lastTokensOutside !== undefined && { lastTokensOutside: plan.lastTokensOutside }),
  previousSummaryTokens: plan.previousSummaryTokens,
  tokensKept: plan.tokensKept,
  keep: plan.keep,
  hasPreviousSummary: previousSummary !== undefined,
})

/** Returns which prepared summary a compaction would use. */
function describePrepared(used: PreparedChoice | undefined, session: PlannedSession): Pick<PlanReply, 'prepared'> {
  if (used === undefined) return {}
  const { use, prepared } = used
  const { firstKeptEntryId = '' } = withCutOf(used, session).cut ?? {}
  return { prepared: { use, firstKeptEntryId, isReady: prepared !== undefined } }
}

/** Returns the size of what a compaction of this plan would send, and the prompts if they are shown. */
function writePrompts(
  session: PlannedSession,
  { context, isShown, isSent }: { context: WorkContext; isShown: boolean; isSent: boolean },
): Pick<PlanReply, 'windows' | 'promptTokens' | 'prompts' | 'previousSummary'> {
  if (session.plan.cut === null) return { windows: 0, promptTokens: 0, ...(isShown ? { prompts: [] } : {}) }
  const { plan, writeTasks } = preparePlan(session, context)
  const tasks = isSent ? writeTasks() : {}
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
