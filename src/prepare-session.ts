import type { Spans } from './model/summarize-spans.ts'
import type { CompactionServices } from './pipeline.ts'
import type { CompactionPlan, MessageEntry } from './plan/plan-compaction.ts'
import { buildTasks, type SpanText } from './prompt/build-tasks.ts'
import { HISTORY_SHARE, limitTokens } from './prompt/limit-tokens.ts'
import { serializeInSteps } from './prompt/serialize-conversation.ts'
import type { Redaction } from './redact/start-redaction.ts'
import { redactGuidance } from './redact/redact-guidance.ts'
import { redactPlan } from './redact/redact-plan.ts'
import type { SessionForm } from './schemas/compaction-request.ts'
import type { Steps } from './steps.ts'
import type { SummaryTask } from './model/summarizer.ts'
import type { HistoryGuidance } from './prompt/build-prompts.ts'
import type { Message } from './session/message.ts'
import type { Entry } from './session/entry.ts'
import { findLatestRequest } from './summary/request/find-latest-request.ts'
import { takeEvidence } from './summary/evidence/take-evidence.ts'
import type { Material } from './summary/keep-essentials.ts'

/** All that a session's summary is made of, without secrets, and what the summarizer is told. */
export interface PreparedSession {
  plan: CompactionPlan
  guidance: HistoryGuidance
  tasks: Spans<SummaryTask>
  material: Material
}

export interface SessionToPrepare {
  plan: CompactionPlan
  request: Omit<SessionForm, 'entries' | 'messages'>
  branch: readonly Entry[]
}

/** Prepares what a plan sends to the summarizer, a message a step. */
export function* prepareSession(
  { plan: given, request, branch }: SessionToPrepare,
  services: CompactionServices,
  redaction: Redaction,
): Steps<PreparedSession> {
  const plan = yield* redactPlan(given, redaction)
  const previous = takeEvidence(plan.previousSummary ?? '')
  const previousSummary = previous.text.trim() === '' ? undefined : previous.text
  const guidance = { ...redactGuidance(request, redaction), previousSummary }
  const settings = request.settings ?? {}
  const spans = yield* spansOf(plan)
  const tasks = buildTasks({ spans, guidance, settings, ...services })
  const material = {
    history: plan.history.map(messageOf),
    turnPrefix: plan.turnPrefix.map(messageOf),
    kept: plan.kept.map(messageOf),
    earlierRequest: findEarlierRequest(branch, given, redaction),
    previousSummary,
    evidence: previous.evidence,
    limitTokens: limitTokens(HISTORY_SHARE, settings, services.maxSummaryTokens),
  }
  return { plan, guidance, tasks, material }
}

const messageOf = ({ message }: MessageEntry): Message => message

/** The spans of a plan that hold messages, as they are told to a summarizer. */
function* spansOf({ history, turnPrefix }: CompactionPlan): Steps<Spans<SpanText>> {
  return {
    ...(history.length > 0 ? { history: yield* spanText(history) } : {}),
    ...(turnPrefix.length > 0 ? { turnPrefix: yield* spanText(turnPrefix) } : {}),
  }
}

function* spanText(entries: readonly MessageEntry[]): Steps<SpanText> {
  const messages = entries.map(messageOf)
  return { messages, conversation: yield* serializeInSteps(messages) }
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
