import { Problem } from '../../errors.ts'
import type { ReadRequest } from '../../ingest/read-request.ts'
import type { SummaryLookup } from '../../jobs/protocol.ts'
import { planCompaction } from '../../plan/plan-compaction.ts'
import { withOwnLimits } from '../../plan/settings.ts'
import type { PrepareRequest } from '../../schemas/prepare.ts'
import { selectBranch } from '../../session/link-session.ts'
import { reportOn } from '../../summary/report.ts'
import { choosePrepared } from '../shared/choose-prepared.ts'
import { measureSession } from '../shared/preparable-session.ts'
import { resultsOf } from '../shared/covered-entries.ts'
import type { Pipeline } from '../shared/pipeline.ts'
import { cutOf } from '../shared/plan-prepared.ts'
import { preparePlan } from '../shared/prepare-plan.ts'
import { digestOfAdditions, writePrepared, type PreparedDrafts } from '../shared/prepared-drafts.ts'
import type { SummaryMaterial } from '../shared/summary-material.ts'
import { transcriptPartOf } from '../shared/transcript-part.ts'

type PreparationMaterial = SummaryMaterial & Pick<PreparedDrafts, 'results' | 'additions'>

/** `POST /compaction/prepare`: writes the drafts of a summary. The compaction that uses them assembles it. */
export const prepareSession: Pipeline<ReadRequest<PrepareRequest>, PreparationMaterial, SummaryLookup> = {
  hooks: 'before',

  /** @throws Problem `invalid-session`, `nothing-to-compact` */
  prepare(read, context) {
    const { fields: request, session } = read
    const branch = selectBranch(session, request.leafId)
    const { settings = {} } = request
    const plan = planCompaction(branch, settings)
    const { firstKeptEntryId, isSplitTurn } = cutOf(plan, read, { branch, redact: context.redact })
    const planned = { plan, request, branch }
    const base = choosePrepared(planned, context, { mayWait: true, isPreparation: true })
    if (base?.kind === 'lookup') return base
    const part = transcriptPartOf(planned, { base, isEarly: true }, context)
    const { material, writeTasks } = preparePlan({ ...planned, part }, context)
    const { region, cutAt } = measureSession(planned)
    const { transcriptTokens } = withOwnLimits(context, settings)
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
