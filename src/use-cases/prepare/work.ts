import { Problem } from '../../errors.ts'
import { readingOf, readRequest, type ReadRequest } from '../../ingest/read-request.ts'
import type { Reply, SummaryLookup, Work, WorkContext, WorkRequest } from '../../jobs/protocol.ts'
import { planCompaction } from '../../plan/plan-compaction.ts'
import { withOwnLimits } from '../../plan/settings.ts'
import { PREPARE_FORMS, type PrepareReply, type PrepareRequest } from '../../schemas/prepare.ts'
import { selectBranch } from '../../session/link-session.ts'
import { reportOn } from '../../summary/report.ts'
import { defined } from '../../text/defined.ts'
import { choosePrepared } from '../shared/choose-prepared.ts'
import { resultsOf } from '../shared/covered-entries.ts'
import { explainNoCut } from '../shared/nothing-to-compact.ts'
import type { Pipeline } from '../shared/pipeline.ts'
import { cutOf, preparePlan, withCutOf } from '../shared/prepare-plan.ts'
import { keyOfPlan, measureSession, type PreparableSession } from '../shared/preparable-session.ts'
import { digestOfAdditions, writePrepared, type PreparedDrafts } from '../shared/prepared-drafts.ts'
import { replyWith, requestReport } from '../shared/reply.ts'
import type { SummaryMaterial } from '../shared/summary-material.ts'
import { withSessionWindow } from '../shared/session-window.ts'
import { summaryWork } from '../shared/summary-work.ts'
import { transcriptPartOf } from '../shared/transcript-part.ts'
import type { PrepareOutcome, PrepareStep } from './open.ts'

type PreparationMaterial = SummaryMaterial & Pick<PreparedDrafts, 'results' | 'additions'>

/** `POST /compaction/prepare`: writes the drafts of a summary. The compaction that uses them assembles it. */
const prepareSession: Pipeline<ReadRequest<PrepareRequest>, PreparationMaterial, SummaryLookup> = {
  hooks: 'before',

  /** @throws Problem `invalid-session`, `nothing-to-compact` */
  prepare(read, context) {
    const planned = planRequest(read)
    const { plan, request, branch } = planned
    const { firstKeptEntryId, isSplitTurn } = cutOf(plan, read, { branch, redact: context.redact })
    const base = choosePrepared(planned, context, { mayWait: true, isPreparation: true })
    if (base?.kind === 'lookup') return base
    const part = transcriptPartOf(planned, { base, isEarly: true }, context)
    const { material, writeTasks } = preparePlan({ ...planned, part }, context)
    const { region, cutAt } = measureSession(planned)
    const { transcriptTokens } = withOwnLimits(context, request.settings ?? {})
    const results = resultsOf(branch.slice(region.start, cutAt), transcriptTokens)
    return {
      material: { ...material, results, additions: digestOfAdditions(context.additions) },
      writeTasks,
      planFacts: { firstKeptEntryId, isSplitTurn, tokensBefore: plan.tokensBefore },
    }
  },

  /** @throws Problem `model-failed` for drafts that are no model's */
  finish({ results, additions, given, redaction }, drafts, { startedAt, nowMs, notes }) {
    const written = Object.values(drafts)
    if (given !== undefined || written.some(({ model }) => model === 'embedded'))
      throw new Problem('model-failed', 'No model has written this summary: it is not kept.')
    const report = reportOn(written, { startedAt, redactions: redaction.count, notes })
    return { reply: writePrepared({ madeAt: nowMs, drafts, additions, results }), summary: '', reported: { report } }
  },
}

const READING = readingOf(PREPARE_FORMS, false)

const summaries = summaryWork({ session: prepareSession }, (received: WorkRequest<PrepareStep>, context) => {
  const request = withSessionWindow(readRequest<PrepareRequest>(received, READING, context))
  return { name: 'session', request, notes: request }
})

export default {
  ...summaries,
  start(received, context) {
    return received.modes.kind === 'write' ? summaries.start(received, context) : planPreparation(received, context)
  },
} satisfies Work<PrepareStep>

/** Returns what will be prepared, or why there is nothing to prepare; or what must be looked up before. */
function planPreparation(received: WorkRequest<PrepareStep>, context: WorkContext): SummaryLookup | Reply {
  const read = withSessionWindow(readRequest<PrepareRequest>(received, READING, context))
  const planned = planRequest(read)
  const { plan, request, branch } = planned
  const report = requestReport(read, context.redact)
  const facts = { ...factsOf(planned), ...report }
  if (context.windowLimitTokens === undefined) return nothing('embedded', EMBEDDED, facts)
  if (plan.cut === null)
    return nothing(
      'too-small',
      explainNoCut(plan, { entries: read.session.entries, branch, settings: request.settings }),
      facts,
    )
  const chosen = choosePrepared(planned, context, { mayWait: false, isPreparation: true })
  if (chosen?.kind === 'lookup') return chosen
  if (chosen?.hasFailed === true) return nothing('failed', FAILED, facts)
  if (chosen !== undefined)
    return nothing('prepared', PREPARED, { ...factsOf({ ...planned, plan: withCutOf(chosen, planned) }), ...report })
  return answer({ state: 'preparing', ...facts }, defined({ key: keyOfPlan(planned, context) }))
}

function planRequest({ fields: request, session }: ReadRequest<PrepareRequest>) {
  const branch = selectBranch(session, request.leafId)
  return { plan: planCompaction(branch, request.settings ?? {}), request, branch }
}

function factsOf(planned: PreparableSession) {
  const { plan } = planned
  const { region, tokens, cutAt } = measureSession(planned)
  return {
    firstKeptEntryId: plan.cut?.firstKeptEntryId ?? null,
    tokensCovered: plan.cut === null ? 0 : tokens(region.start, cutAt),
    tokensKept: plan.tokensKept,
    contextTokens: plan.tokensBefore,
  }
}

const EMBEDDED = 'Without a model, a compaction takes no longer than its preparation would.'

const PREPARED =
  'A summary is prepared, or is being written, and the session has grown by less than 15 % of `contextWindow` since (without it, of the context).'

const FAILED =
  'The last attempt to write this summary has failed: the log has the problem. Compact without it, or try again later.'

const nothing = (
  reason: NonNullable<PrepareReply['reason']>,
  detail: string,
  facts: Omit<PrepareReply, 'state' | 'reason' | 'detail'>,
): Reply => answer({ state: 'nothing', reason, detail, ...facts }, {})

const answer = (reply: PrepareReply, outcome: PrepareOutcome): Reply => ({ ...replyWith(reply), outcome })
