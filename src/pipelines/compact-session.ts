import { planCompaction, type CompactionPlan, type MessageEntry } from '../plan/plan-compaction.ts'
import { buildTasks, type SegmentText } from '../prompt/build-tasks.ts'
import { serializeCooperatively } from '../prompt/serialize-conversation.ts'
import type { Segments } from '../prompt/task.ts'
import { redactFiles, startRedaction, type Redaction } from '../redact/redaction.ts'
import { createYielder, runCooperatively, type Cooperative } from '../runtime/cooperative.ts'
import type { CompactionReply } from '../schemas/compaction-reply.ts'
import type { SessionForm } from '../schemas/compaction-request.ts'
import type { Entry } from '../session/entry.ts'
import type { Message } from '../session/message.ts'
import { readBranch } from '../session/read-session.ts'
import { carryPreserveData } from '../summary/assemble-result.ts'
import { fullDetails } from '../summary/full-details.ts'
import { findLatestRequest } from '../summary/requests.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import { nothingToCompact, type CompactionServices, type PipelineBudget } from './services.ts'
import {
  readPreviousSummary,
  redactGuidance,
  runSummaryJob,
  summaryLimitTokens,
  type SummaryJob,
} from './summary-job.ts'

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
  const plan = planCompaction(branch, request.settings ?? {})
  const { cut, tokensBefore, tokensKept } = plan
  if (cut === null) throw nothingToCompact()
  const { firstKeptEntryId, isSplitTurn } = cut
  const preparing = prepareSession({ plan, request, branch }, services, startRedaction(services.redact))
  const prepared = await runCooperatively(preparing, yieldIfDue)
  const job = { ...prepared, cut: { firstKeptEntryId, isSplitTurn, tokensBefore } }
  const result = await runSummaryJob(job, services, budget)
  const tokensAfter = tokensKept + estimateTextTokens(result.summary)
  const preserveData = request.preserveData ?? carryPreserveData(branch)
  return {
    ...result,
    details: request.details === 'full' ? fullDetails(prepared.plan, tokensAfter) : result.details,
    firstKeptEntryId,
    isSplitTurn,
    tokensBefore,
    tokensAfter,
    ...(preserveData === undefined ? {} : { preserveData }),
  }
}

export interface SessionToPrepare {
  plan: CompactionPlan
  request: Omit<SessionForm, 'entries' | 'messages'>
  branch: readonly Entry[]
}

/** A job with the plan behind it; secrets are replaced in both. */
interface PreparedSession extends SummaryJob {
  plan: CompactionPlan
}

/** Returns the job of a plan: its tasks for the summarizer, and what the drafts are checked against. */
export function* prepareSession(
  { plan: given, request, branch }: SessionToPrepare,
  services: CompactionServices,
  redaction: Redaction,
): Cooperative<PreparedSession> {
  const plan = yield* redactPlan(given, redaction)
  const previous = readPreviousSummary(plan.previousSummary ?? '')
  const guidance = { ...redactGuidance(request, redaction), previousSummary: previous.previousSummary }
  const settings = request.settings ?? {}
  const tasks = buildTasks({ segments: yield* segmentsOf(plan), guidance, settings, ...services })
  const inputs = {
    ...previous,
    history: plan.history.map(messageOf),
    turnPrefix: plan.turnPrefix.map(messageOf),
    kept: plan.kept.map(messageOf),
    earlierRequest: findEarlierRequest(branch, given, redaction),
    limitTokens: summaryLimitTokens(settings, services),
  }
  return { plan, tasks, guidance, inputs, files: plan.files, redaction }
}

const messageOf = ({ message }: MessageEntry): Message => message

/** Returns the segments of a plan that have messages, as text for the model. */
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

/** Returns the newest request of the user that an earlier compaction covered. */
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

/** Returns a plan with the secrets replaced in all that a model or a client will read. Kept messages stay unchanged. */
function* redactPlan(plan: CompactionPlan, redaction: Redaction): Cooperative<CompactionPlan> {
  const { previousSummary } = plan
  return {
    ...plan,
    history: yield* redactEntries(plan.history, redaction),
    turnPrefix: yield* redactEntries(plan.turnPrefix, redaction),
    files: redactFiles(plan.files, redaction),
    ...(previousSummary === undefined ? {} : { previousSummary: redaction.text(previousSummary) }),
  }
}

function* redactEntries(entries: MessageEntry[], redaction: Redaction): Cooperative<MessageEntry[]> {
  const messages = yield* redaction.cooperatively(entries.map(({ message }) => message))
  return entries.map((entry, index) => {
    const message = messages[index]
    return message === undefined || message === entry.message ? entry : { ...entry, message }
  })
}
