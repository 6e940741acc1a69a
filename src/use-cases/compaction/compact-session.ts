import { storedSummary } from '../../agents/native.ts'
import { invalidBody } from '../../ingest/compile-validator.ts'
import type { ReadRequest } from '../../ingest/read-request.ts'
import { estimateSummary, outsideWith } from '../../plan/context-size.ts'
import { withExtra } from '../../plan/keep-recent.ts'
import type { CompactionPlan } from '../../plan/plan-compaction.ts'
import type { SummaryLookup } from '../../jobs/protocol.ts'
import type { CompactionReply } from '../../schemas/compaction-reply.ts'
import type { SessionForm } from '../../schemas/compaction-request.ts'
import type { PreparedUse } from '../../schemas/prepared-use.ts'
import type { NewSessionFormat } from '../../schemas/reply-form.ts'
import type { SessionItem } from '../../schemas/items.ts'
import { selectBranch } from '../../session/link-session.ts'
import { carryPreserveData } from '../../summary/assemble-result.ts'
import { describeWork, fullDetails, type WorkDetails } from '../../summary/full-details.ts'
import { findProvenance } from '../../summary/provenance.ts'
import { defined } from '../../text/defined.ts'
import { findEncrypted } from '../shared/readable-compactions.ts'
import { originIdsOf, originsOf, type CompactionParts, type OriginIds } from '../shared/origins.ts'
import type { Pipeline } from '../shared/pipeline.ts'
import { planWithPrepared, preparePlan } from '../shared/prepare-plan.ts'
import { describeReplaced } from '../shared/replaced-part.ts'
import { finishSummary, givenAs, type SummaryMaterial } from '../shared/summary-material.ts'
import { describeItems } from './describe-items.ts'
import { finishNewSession, prepareNewSession, type NewSessionMaterial } from './new-session.ts'
import { prepareWriteBack, writeBack, type WriteBackMaterial } from './write-back.ts'

type PlanFigures = 'tokensBefore' | 'tokensOutside' | 'lastTokensOutside' | 'providerCount' | 'keep'

interface SessionMaterial extends SummaryMaterial, Pick<CompactionPlan, PlanFigures> {
  firstKeptEntryId: string
  isSplitTurn: boolean
  encryptedAt?: number
  /** Only if the request asks for full details. */
  work?: WorkDetails
  /** Only if the request asks for a native form. */
  writeBack?: WriteBackMaterial
  /** Only if the request asks for a session in another format. */
  newSession?: NewSessionMaterial
  /** How a prepared summary is used, if one is. */
  use?: PreparedUse
  /** Only if the request asks where the facts of the summary are. */
  originIds?: OriginIds
  /** Only if the request asks for them. */
  items?: SessionItem[]
}

type SessionToCompact = ReadRequest<SessionForm> & {
  newSession?: NewSessionFormat | undefined
  include?: CompactionParts
  isPart?: boolean
}

/** `POST /compaction` with `entries` (as JSON or NDJSON) or `messages`: compacts a session. */
export const compactSession: Pipeline<SessionToCompact, SessionMaterial, SummaryLookup> = {
  hasData: true,

  /** @throws Problem `invalid-session`, `nothing-to-compact`, `not-prepared`, `no-native-form` */
  prepare(read, context) {
    const { fields: request, session } = read
    const branch = selectBranch(session, request.leafId)
    const planned = planWithPrepared(read, branch, context)
    if (planned.kind === 'lookup') return planned
    const { plan, cut, use, drafts, part } = planned
    const { tokensBefore, tokensOutside, lastTokensOutside, providerCount, keep } = plan
    const { firstKeptEntryId, isSplitTurn } = cut
    const replaced = () =>
      describeReplaced(
        read,
        branch,
        branch.findIndex(({ id }) => id === firstKeptEntryId),
      )
    const { plan: redacted, material, writeTasks } = preparePlan({ plan, request, branch, replaced, part }, context)
    return {
      material: defined({
        ...withGiven(material, request.summary),
        ...{ firstKeptEntryId, isSplitTurn, tokensBefore, tokensOutside, lastTokensOutside, providerCount, keep },
        encryptedAt: findEncrypted(session.entries, branch),
        work: request.details === 'full' ? describeWork(redacted, material.inputs.runs) : undefined,
        preserveData: request.preserveData ?? carryPreserveData(branch),
        writeBack: prepareWriteBack(read, branch, plan.kept[0]),
        newSession: prepareNewSession(read, plan),
        originIds: read.include?.has('provenance') ? originIdsOf(redacted, branch) : undefined,
        items: read.include?.has('items') ? describeItems(material.inputs.work, redacted) : undefined,
        use,
      }),
      drafts,
      writeTasks,
      planFacts: { firstKeptEntryId, isSplitTurn, tokensBefore },
    }
  },

  /** @throws Problem `nothing-gained` */
  finish(material, drafts, context) {
    const { firstKeptEntryId, isSplitTurn, tokensBefore, tokensOutside, lastTokensOutside, work } = material
    const { preserveData, originIds, items, encryptedAt, providerCount } = material
    const result = finishSummary(material, drafts, context)
    const keep = withExtra(material.keep, material.writeBack?.extraTokens ?? 0)
    const format = material.writeBack?.form.format ?? material.format
    const stored = format === undefined ? result.summary : storedSummary(format, result.summary)
    const tokensAfter = keep.kept + estimateSummary(stored)
    const sizes = { tokensBefore, tokensAfter, tokensOutside }
    const report = { ...result.report, keep, ...(material.use && { prepared: material.use }) }
    const reply: CompactionReply = defined({
      ...result,
      report,
      details: work === undefined ? result.details : fullDetails({ ...result.details, ...work }, sizes),
      firstKeptEntryId,
      isSplitTurn,
      ...sizes,
      lastTokensOutside,
      tokensOutsideAfter: providerCount && outsideWith(providerCount, tokensAfter),
      encryptedAt,
      preserveData,
      provenance: originIds && findProvenance(result, originsOf(originIds, material.inputs)),
      items,
    })
    const { startedAt } = context
    return {
      ...finishNewSession(material.newSession, reply, startedAt),
      summary: result.summary,
      reported: { report, ...sizes },
      ...(material.writeBack && writeBack(material.writeBack, { ...result, firstKeptEntryId, ...sizes }, startedAt)),
    }
  },
}

/** Returns the material of a summary that the request brought: it replaces the texts of all segments. */
function withGiven(material: SummaryMaterial, given: string | undefined): SummaryMaterial {
  if (given === undefined) return material
  if (given.trim() === '') throw invalidBody([{ pointer: '/summary', detail: 'must not be blank' }])
  return givenAs(material, given)
}
