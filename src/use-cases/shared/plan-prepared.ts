import type { ReadRequest } from '../../ingest/read-request.ts'
import type { SummaryLookup, WorkContext } from '../../jobs/protocol.ts'
import { planCompaction, type CompactionPlan } from '../../plan/plan-compaction.ts'
import type { Segments } from '../../prompt/task.ts'
import type { SessionForm } from '../../schemas/compaction-request.ts'
import type { PrepareRequest } from '../../schemas/prepare.ts'
import type { PreparedUse } from '../../schemas/prepared-use.ts'
import type { Entry } from '../../session/entry.ts'
import type { CheckedDraft } from '../../summary/draft.ts'
import { defined } from '../../text/defined.ts'
import { choosePrepared, type PreparedChoice } from './choose-prepared.ts'
import { type PreparableSession } from './preparable-session.ts'
import { explainNoCut, hintAtIgnored, nothingToCompact } from './nothing-to-compact.ts'
import { transcriptPartOf, type TranscriptPart } from './transcript-part.ts'

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
