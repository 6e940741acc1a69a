import { pairCalls } from '../../extract/runs.ts'
import type { CompactionPlan, MessageEntry } from '../../plan/plan-compaction.ts'
import { assignSegments, buildTasks, type SegmentText } from '../../prompt/build-tasks.ts'
import type { Segments } from '../../prompt/task.ts'
import { redactFiles, startRedaction, type Redaction } from '../../redact/redaction.ts'
import type { SessionForm } from '../../schemas/compaction-request.ts'
import type { Entry } from '../../session/entry.ts'
import type { Message } from '../../session/message.ts'
import { findLatestRequest } from '../../summary/requests.ts'
import type { Prepared } from './pipeline.ts'
import type { WorkContext } from '../../jobs/protocol.ts'
import {
  guidanceTexts,
  readPreviousSummary,
  redactGuidance,
  summaryLimitTokens,
  transcriptLimits,
  type SummaryMaterial,
} from './summary-material.ts'

/** A planned session, before its secrets are replaced. */
export interface PlannedSession {
  plan: CompactionPlan
  request: Omit<SessionForm, 'entries' | 'messages'>
  branch: readonly Entry[]
  /** Has searched the session already. */
  redaction?: Redaction
}

interface PreparedPlan extends Prepared<SummaryMaterial> {
  /** Without secrets. */
  plan: CompactionPlan
}

/** Returns what is needed to write and check the summary of a plan: the prompts, and the messages that they are about. */
export function preparePlan(
  { plan: original, request, branch, redaction: searched }: PlannedSession,
  context: Omit<WorkContext, 'nowMs' | 'summarizerWindow'>,
): PreparedPlan {
  const { templates, maxSummaryTokens, redact, additions } = context
  const redaction = searched ?? searchSession({ plan: original, request, branch }, { redact, additions })
  const plan = redactPlan(original, redaction)
  const previous = readPreviousSummary(plan.previousSummary ?? '')
  const guidance = { ...redactGuidance(request, redaction, additions), previousSummary: previous.previousSummary?.text }
  const settings = request.settings ?? {}
  const texts = segmentsOf(plan)
  const messages = {
    history: plan.history.map(messageOf),
    turnPrefix: plan.turnPrefix.map(messageOf),
    kept: plan.kept.map(messageOf),
  }
  const runs = pairCalls(Object.values(messages).flat())
  const assignments = assignSegments(texts, { guidance, runs, settings, maxSummaryTokens })
  const inputs = {
    ...previous,
    ...messages,
    runs,
    earlierRequest: findEarlierRequest(branch, plan, redaction),
    limitTokens: summaryLimitTokens(settings, { maxSummaryTokens }),
    hasSections: guidance.style !== 'continuation',
  }
  return {
    plan,
    material: { assignments, guidance, inputs, files: plan.files, redaction: redaction.state() },
    writeTasks: () =>
      buildTasks(assignments, { texts, guidance, templates, limits: transcriptLimits(settings, context) }),
  }
}

/** Searches the whole branch: a secret may be recognizable only at a place that stays, or that was summarized before. */
export const searchSession = (
  { plan, request, branch }: PlannedSession,
  { redact, additions }: Pick<WorkContext, 'redact' | 'additions'>,
): Redaction =>
  startRedaction(redact, {
    messages: branch.flatMap(({ message }) => message ?? []),
    texts: [plan.previousSummary, ...guidanceTexts(request, additions)],
    files: plan.files,
  })

const messageOf = ({ message }: MessageEntry): Message => message

/**
 * Returns the history of a plan and its turn prefix; an empty one is left out. If the cut is in the middle of a turn, the
 * turn prefix is the part of that turn before the cut: it is summarized on its own.
 */
const segmentsOf = ({ history, turnPrefix }: CompactionPlan): Segments<SegmentText> => ({
  ...(history.length > 0 ? { history: { messages: history.map(messageOf) } } : {}),
  ...(turnPrefix.length > 0 ? { turnPrefix: { messages: turnPrefix.map(messageOf) } } : {}),
})

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
