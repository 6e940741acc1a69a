import { findProjectRules, projectFilesIn } from '../../extract/project-rules.ts'
import { findTaskTitles } from '../../extract/task-lists.ts'
import type { ReadRequest } from '../../ingest/read-request.ts'
import type { SummaryLookup, WorkContext } from '../../jobs/protocol.ts'
import { messagesOf, planCompaction, type CompactionPlan, type MessageEntry } from '../../plan/plan-compaction.ts'
import type { SegmentText } from '../../prompt/build-tasks.ts'
import type { Segments } from '../../prompt/task.ts'
import { redactFiles, startRedaction, type Redaction } from '../../redact/redaction.ts'
import type { SessionForm } from '../../schemas/compaction-request.ts'
import type { PrepareRequest } from '../../schemas/prepare.ts'
import type { PreparedUse } from '../../schemas/prepared-use.ts'
import type { Entry } from '../../session/entry.ts'
import type { Message } from '../../session/message.ts'
import type { CheckedDraft } from '../../summary/draft.ts'
import type { ReplacedPart } from '../../summary/looking-up.ts'
import { findLatestRequest } from '../../summary/requests.ts'
import { defined } from '../../text/defined.ts'
import { choosePrepared, type PreparedChoice } from './choose-prepared.ts'
import { explainNoCut, hintAtIgnored, nothingToCompact } from './nothing-to-compact.ts'
import type { PreparedRequest } from './pipeline.ts'
import type { PreparableSession } from './preparable-session.ts'
import { prepareSummary, type PreviousSummary } from './prepare-summary.ts'
import { guidanceTexts, type SummaryMaterial } from './summary-material.ts'
import { transcriptPartOf, type TranscriptPart } from './transcript-part.ts'

/** The messages of a plan: which are summarized, and which stay. */
export type PlannedRegion = Pick<
  CompactionPlan,
  'history' | 'turnPrefix' | 'kept' | 'runs' | 'files' | 'previousSummary'
>

/** A planned session, before its secrets are replaced. */
export interface PlannedSession<P extends PlannedRegion = CompactionPlan> {
  plan: P
  request: Omit<SessionForm, 'entries' | 'messages'>
  branch: readonly Entry[]
  /** The part that the summary replaces, for a request that says how to look it up. */
  replaced?: () => ReplacedPart
  /** The part of it that a model reads; left out for all that is summarized. */
  part?: TranscriptPart | undefined
  /** Has searched the session already. */
  redaction?: Redaction
}

interface PreparedPlan<P> extends PreparedRequest<SummaryMaterial> {
  /** Without secrets. */
  plan: P
}

/** Returns what is needed to write and check the summary of a plan: the prompts, and the messages that they are about. */
export function preparePlan<P extends PlannedRegion>(
  session: PlannedSession<P>,
  context: Omit<WorkContext, 'nowMs' | 'summarizerWindow'>,
): PreparedPlan<P> {
  const { request, branch, redaction = searchSession(session, context) } = session
  const plan = redactPlan(session.plan, redaction)
  const before = messagesBefore(branch, plan)
  const earlierRequest = findLatestRequest(before)
  const source = {
    texts: segmentsOf(plan),
    entryNumbers: numbersOf([...plan.history, ...plan.turnPrefix], branch),
    kept: messagesOf(plan.kept),
    session: { messages: messagesOf(session.plan.history, session.plan.turnPrefix, plan.kept), runs: plan.runs },
    files: plan.files,
    previousSummary: plan.previousSummary ?? '',
    rules: findProjectRules(projectFilesIn(branch), redaction.text),
    taskTitles: findTaskTitles(before),
    ...{ redaction, request, replaced: session.replaced, part: session.part },
    // A list of messages no longer has what its summary covers.
    others: (previous: PreviousSummary) => ({
      earlierRequest: earlierRequest === undefined ? previous.earlierRequest : redaction.text(earlierRequest),
    }),
  }
  return { plan, ...prepareSummary(source, context) }
}

/**
 * Searches the whole branch: a secret may be recognizable only at a place that stays, or that was summarized before.
 * @param others further texts, such as the summary of an agent
 */
export const searchSession = (
  { plan, request, branch }: PlannedSession<PlannedRegion>,
  { redact, additions }: Pick<WorkContext, 'redact' | 'additions'>,
  others: readonly string[] = [],
): Redaction =>
  startRedaction(redact, {
    messages: branch.flatMap(({ message }) => message ?? []),
    texts: [
      ...[...others, plan.previousSummary],
      ...projectFilesIn(branch).map(({ text }) => text),
      ...guidanceTexts(request, additions),
    ],
    files: plan.files,
  })

/** Returns the positions of entries in the branch, from 1: `/recall` names entries by them too. */
function numbersOf(entries: readonly MessageEntry[], branch: readonly Entry[]): number[] {
  const positions = new Map(branch.map(({ id }, index) => [id, index + 1]))
  return entries.map(({ id }) => positions.get(id) ?? 0)
}

/**
 * Returns the history of a plan and its turn prefix; an empty one is left out. If the cut is in the middle of a turn, the
 * turn prefix is the part of that turn before the cut: it is summarized on its own.
 */
const segmentsOf = ({ history, turnPrefix }: PlannedRegion): Segments<SegmentText> => ({
  ...(history.length > 0 ? { history: { messages: messagesOf(history) } } : {}),
  ...(turnPrefix.length > 0 ? { turnPrefix: { messages: messagesOf(turnPrefix) } } : {}),
})

/** Returns the messages of a branch before those of the plan, since the session was reset last. */
function messagesBefore(branch: readonly Entry[], { history, turnPrefix, kept }: PlannedRegion): Message[] {
  const [first] = [...history, ...turnPrefix, ...kept]
  const end = first === undefined ? branch.length : branch.findIndex(({ id }) => id === first.id)
  const start = branch.findLastIndex(({ type }) => type === 'reset_boundary') + 1
  return branch.slice(start, end).flatMap(({ message }) => message ?? [])
}

/**
 * Returns a plan with the secrets replaced in everything that is sent to a model or returned. Kept messages are neither, so
 * they stay unchanged.
 */
function redactPlan<P extends PlannedRegion>(plan: P, redaction: Redaction): P {
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

/** The plan of a compaction, and the prepared summary that it uses. */
interface PlannedCompaction {
  kind?: undefined
  plan: CompactionPlan
  cut: NonNullable<CompactionPlan['cut']>
  use?: PreparedUse
  /** The whole summary: no model is called. */
  drafts?: Segments<CheckedDraft>
  /** The part that a model reads after an earlier summary. */
  part?: TranscriptPart
}

/**
 * Plans a compaction, with the cut of a prepared summary if it uses one at once.
 * @param read with `isPart` for a part of a text
 * @throws Problem `nothing-to-compact`, `not-prepared`
 */
export function planWithPrepared(
  read: ReadRequest<SessionForm> & { isPart?: boolean },
  branch: readonly Entry[],
  context: WorkContext,
): PlannedCompaction | SummaryLookup {
  const { fields: request, isPart = false } = read
  const { settings = {} } = request
  const plan = planCompaction(branch, settings)
  const own = cutOf(plan, read, { branch, redact: context.redact })
  const planned = { plan, request, branch }
  const chosen = choosePrepared(planned, context, { isPart })
  if (chosen?.kind === 'lookup') return chosen
  if (chosen?.prepared === undefined) return { plan, cut: own }
  const { madeAt, drafts } = chosen.prepared
  const use = { use: chosen.use, ageMs: Math.max(0, context.nowMs - madeAt) }
  if (chosen.use === 'earlier')
    return defined({ plan, cut: own, use, part: transcriptPartOf(planned, { base: chosen, isEarly: false }, context) })
  const prepared = withCutOf(chosen, planned)
  return { plan: prepared, cut: prepared.cut ?? own, use, drafts }
}

export function withCutOf({ at }: PreparedChoice, { branch, request }: PreparableSession): CompactionPlan {
  const plan = planCompaction(branch, request.settings ?? {}, at)
  return { ...plan, keep: { ...plan.keep, why: 'A summary has been prepared with this cut.' } }
}

/** Returns the cut of a plan. @throws Problem `nothing-to-compact` */
export function cutOf(
  plan: CompactionPlan,
  { fields, session, ignored }: ReadRequest<SessionForm | PrepareRequest>,
  { branch, redact }: { branch: readonly Entry[]; redact: boolean },
): NonNullable<CompactionPlan['cut']> {
  if (plan.cut !== null) return plan.cut
  const { entries } = session
  const why = explainNoCut(plan, { entries, branch, settings: fields.settings })
  throw nothingToCompact(why + hintAtIgnored(ignored, redact))
}
