import { nothingToCompact, type CompactionServices, type PipelineBudget } from './services.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import { createYielder, runCooperatively, type Cooperative } from '../runtime/cooperative.ts'
import { planCompaction, type CompactionPlan, type MessageEntry } from '../plan/plan-compaction.ts'
import { startRedaction, type Redaction } from '../redact/redaction.ts'
import { redactGuidance, redactPlan } from '../prompt/redact-inputs.ts'
import type { CompactionReply } from '../schemas/compaction-reply.ts'
import type { SessionForm } from '../schemas/compaction-request.ts'
import { readBranch } from '../session/read-session.ts'
import { summarizeChecked, emitPlan } from './write-drafts.ts'
import { assembleResult, carryPreserveData } from '../summary/assemble-result.ts'
import { expectationsOfTasks } from '../summary/checks/expectations.ts'
import { fullDetails } from '../summary/full-details.ts'
import type { Segments, SummaryTask } from '../prompt/task.ts'
import { buildTasks, type SegmentText } from '../prompt/build-tasks.ts'
import { HISTORY_SHARE, limitTokens } from '../plan/settings.ts'
import { serializeCooperatively } from '../prompt/serialize-conversation.ts'
import type { HistoryGuidance } from '../prompt/build-prompts.ts'
import type { Message } from '../session/message.ts'
import type { Entry } from '../session/entry.ts'
import { findLatestRequest } from '../summary/requests.ts'
import { extractEvidence } from '../summary/evidence-section.ts'
import type { SummaryInputs } from '../summary/restore-essentials.ts'

/**
 * Compacts a session: the entries form, NDJSON and the messages form of `POST /compaction`.
 * @throws Problem `invalid-session`, `nothing-to-compact`, or what the summarizer throws
 */
export async function compactSession(
  request: SessionForm,
  services: CompactionServices,
  budget: PipelineBudget,
): Promise<CompactionReply> {
  const yieldIfDue = createYielder(budget.signal)
  const branch = await readBranch(request, yieldIfDue)
  await yieldIfDue()
  const planned = planCompaction(branch, request.settings ?? {})
  const { cut, tokensBefore, tokensKept } = planned
  if (cut === null) throw nothingToCompact()
  const redaction = startRedaction(services.redact)
  const preparing = prepareSession({ plan: planned, request, branch }, services, redaction)
  const { plan, tasks, guidance, inputs } = await runCooperatively(preparing, yieldIfDue)
  const { firstKeptEntryId, isSplitTurn } = cut
  await emitPlan(Object.values(tasks), { ...services, budget }, { firstKeptEntryId, isSplitTurn, tokensBefore })
  const segments = await runCooperatively(expectationsOfTasks(tasks, guidance), yieldIfDue)
  const drafts = await summarizeChecked(segments, services, budget)
  const parts = { inputs, files: plan.files, drafts, redaction, startedAt: budget.startedAt }
  const result = await runCooperatively(assembleResult(parts), createYielder())
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

/** All that a session's summary is made of, without secrets, and what the summarizer is told. */
export interface PreparedSession {
  plan: CompactionPlan
  guidance: HistoryGuidance
  tasks: Segments<SummaryTask>
  inputs: SummaryInputs
}

export interface SessionToPrepare {
  plan: CompactionPlan
  request: Omit<SessionForm, 'entries' | 'messages'>
  branch: readonly Entry[]
}

const messageOf = ({ message }: MessageEntry): Message => message

/** Prepares what a plan sends to the summarizer, a message a step. */
export function* prepareSession(
  { plan: given, request, branch }: SessionToPrepare,
  services: CompactionServices,
  redaction: Redaction,
): Cooperative<PreparedSession> {
  const plan = yield* redactPlan(given, redaction)
  const previous = extractEvidence(plan.previousSummary ?? '')
  const previousSummary = previous.text.trim() === '' ? undefined : previous.text
  const guidance = { ...redactGuidance(request, redaction), previousSummary }
  const settings = request.settings ?? {}
  const segments = yield* segmentsOf(plan)
  const tasks = buildTasks({ segments, guidance, settings, ...services })
  const inputs = {
    history: plan.history.map(messageOf),
    turnPrefix: plan.turnPrefix.map(messageOf),
    kept: plan.kept.map(messageOf),
    earlierRequest: findEarlierRequest(branch, given, redaction),
    previousSummary,
    evidence: previous.evidence,
    limitTokens: limitTokens(HISTORY_SHARE, settings, services.maxSummaryTokens),
  }
  return { plan, guidance, tasks, inputs }
}

/** The segments of a plan that hold messages, as they are told to a summarizer. */
function* segmentsOf({ history, turnPrefix }: CompactionPlan): Cooperative<Segments<SegmentText>> {
  return {
    ...(history.length > 0 ? { history: yield* segmentText(history) } : {}),
    ...(turnPrefix.length > 0 ? { turnPrefix: yield* segmentText(turnPrefix) } : {}),
  }
}

function* segmentText(entries: readonly MessageEntry[]): Cooperative<SegmentText> {
  const messages = entries.map(messageOf)
  return { messages, conversation: yield* serializeCooperatively(messages) }
}

/** The newest request that an earlier compaction covered. */
function findEarlierRequest(
  branch: readonly Entry[],
  { history, turnPrefix, kept }: CompactionPlan,
  redaction: Redaction,
): string | undefined {
  const first = [...history, ...turnPrefix, ...kept][0]
  const end = first === undefined ? branch.length : branch.findIndex(({ id }) => id === first.id)
  const request = findLatestRequest(branch.slice(0, end).flatMap(({ message }) => message ?? []))
  return request === undefined ? undefined : redaction.text(request)
}
