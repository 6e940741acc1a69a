import type { ReadRequest } from '../ingest/read-request.ts'
import { planCompaction, type CompactionPlan, type MessageEntry } from '../plan/plan-compaction.ts'
import { buildTasks, type SegmentText } from '../prompt/build-tasks.ts'
import { serializeConversation } from '../prompt/serialize-conversation.ts'
import type { Segments } from '../prompt/task.ts'
import { redactFiles, startRedaction, type Redaction } from '../redact/redaction.ts'
import type { CompactionReply } from '../schemas/compaction-reply.ts'
import type { SessionForm } from '../schemas/compaction-request.ts'
import type { Entry } from '../session/entry.ts'
import type { Message } from '../session/message.ts'
import { selectBranch } from '../session/tree.ts'
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
 * Compacts a session: `POST /compaction` with `entries` (as JSON or NDJSON) or `messages`.
 * @throws Problem `invalid-session`, `nothing-to-compact`, or a problem of the model call (see `Summarizer`)
 */
export async function compactSession(
  { fields: request, session }: ReadRequest<SessionForm>,
  services: CompactionServices,
  budget: PipelineBudget,
): Promise<CompactionReply> {
  // Plan
  const branch = selectBranch(session, request.leafId)
  const plan = planCompaction(branch, request.settings ?? {})
  const { cut, tokensBefore, tokensKept } = plan
  if (cut === null) throw nothingToCompact()
  const { firstKeptEntryId, isSplitTurn } = cut
  // Prompt
  const steps = prepareSession({ plan, request, branch }, services, startRedaction(services.redact))
  const { plan: redactedPlan, ...job } = steps
  // Call and check
  const planEvent = { firstKeptEntryId, isSplitTurn, tokensBefore }
  const result = await runSummaryJob({ ...job, planEvent }, services, budget)
  const tokensAfter = tokensKept + estimateTextTokens(result.summary)
  // Data of the agent, returned as it is.
  const preserveData = request.preserveData ?? carryPreserveData(branch)
  return {
    ...result,
    details: request.details === 'full' ? fullDetails(redactedPlan, tokensAfter) : result.details,
    firstKeptEntryId,
    isSplitTurn,
    tokensBefore,
    tokensAfter,
    ...(preserveData === undefined ? {} : { preserveData }),
  }
}

/** A planned session, before its secrets are replaced. */
export interface SessionToPrepare {
  plan: CompactionPlan
  request: Omit<SessionForm, 'entries' | 'messages'>
  branch: readonly Entry[]
}

/** A job, and the redacted plan from which it was made. */
interface PreparedSession extends SummaryJob {
  plan: CompactionPlan
}

/** Returns what is needed to write and check the summary of a plan: the tasks, and the messages that they are about. */
export function prepareSession(
  { plan: originalPlan, request, branch }: SessionToPrepare,
  services: Omit<CompactionServices, 'summarizer'>,
  redaction: Redaction,
): PreparedSession {
  const plan = redactPlan(originalPlan, redaction)
  const previous = readPreviousSummary(plan.previousSummary ?? '')
  const guidance = { ...redactGuidance(request, redaction), previousSummary: previous.previousSummary }
  const settings = request.settings ?? {}
  const tasks = buildTasks({ segments: segmentsOf(plan), guidance, settings, ...services })
  const inputs = {
    ...previous,
    history: plan.history.map(messageOf),
    turnPrefix: plan.turnPrefix.map(messageOf),
    kept: plan.kept.map(messageOf),
    earlierRequest: findEarlierRequest(branch, plan, redaction),
    limitTokens: summaryLimitTokens(settings, services),
  }
  return { plan, tasks, guidance, inputs, files: plan.files, redaction }
}

const messageOf = ({ message }: MessageEntry): Message => message

/**
 * Returns the history of a plan and its turn prefix, as text for the model; an empty one is left out. If the cut is in the
 * middle of a turn, the turn prefix is the part of that turn before the cut: it is summarized on its own.
 */
function segmentsOf({ history, turnPrefix }: CompactionPlan): Segments<SegmentText> {
  return {
    ...(history.length > 0 ? { history: segmentText(history) } : {}),
    ...(turnPrefix.length > 0 ? { turnPrefix: segmentText(turnPrefix) } : {}),
  }
}

function segmentText(entries: readonly MessageEntry[]): SegmentText {
  const messages = entries.map(messageOf)
  return { messages, conversation: serializeConversation(messages) }
}

/** Returns the user's newest request before the messages of the plan, unless the session was reset since then. */
function findEarlierRequest(
  branch: readonly Entry[],
  { history, turnPrefix, kept }: CompactionPlan,
  redaction: Redaction,
): string | undefined {
  const first = [...history, ...turnPrefix, ...kept][0]
  const end = first === undefined ? branch.length : branch.findIndex(({ id }) => id === first.id)
  const start = branch.findLastIndex(({ type }) => type === 'reset_boundary') + 1
  const request = findLatestRequest(branch.slice(start, end).flatMap(({ message }) => message ?? []))
  return request === undefined ? undefined : redaction.text(request)
}

/**
 * Returns a plan with the secrets replaced in everything that is sent to a model or returned. Kept messages are neither, so
 * they stay unchanged.
 */
function redactPlan(plan: CompactionPlan, redaction: Redaction): CompactionPlan {
  const { previousSummary } = plan
  return {
    ...plan,
    history: redactEntries(plan.history, redaction),
    turnPrefix: redactEntries(plan.turnPrefix, redaction),
    files: redactFiles(plan.files, redaction),
    ...(previousSummary === undefined ? {} : { previousSummary: redaction.text(previousSummary) }),
  }
}

function redactEntries(entries: MessageEntry[], redaction: Redaction): MessageEntry[] {
  const messages = redaction.messages(entries.map(({ message }) => message))
  return entries.map((entry, index) => {
    const message = messages[index]
    // Unchanged entries are not copied.
    return message === undefined || message === entry.message ? entry : { ...entry, message }
  })
}
