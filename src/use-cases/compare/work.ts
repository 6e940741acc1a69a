import { wrongParameter, type Problem } from '../../errors.ts'
import { invalidBody } from '../../ingest/compile-validator.ts'
import { readInclude } from '../../ingest/read-query.ts'
import { readingOf, readRequest, type SessionRequest } from '../../ingest/read-request.ts'
import type { WorkContext } from '../../jobs/protocol.ts'
import { estimateSummary } from '../../plan/context-size.ts'
import { planCompaction, type CompactionPlan } from '../../plan/plan-compaction.ts'
import {
  COMPARISON_FORMS,
  COMPARISON_PARTS,
  type ComparisonReply,
  type ComparisonRequest,
} from '../../schemas/comparison.ts'
import type { Entry } from '../../session/entry.ts'
import { selectBranch } from '../../session/link-session.ts'
import { checkGrounding } from '../../summary/checks/grounding.ts'
import { compareFacts } from '../../summary/compare/kept-facts.ts'
import { findSessionFacts, type SessionFact } from '../../summary/compare/session-facts.ts'
import { findProvenance } from '../../summary/provenance.ts'
import { defined } from '../../text/defined.ts'
import { estimateMessageTokens } from '../../tokens/estimate-tokens.ts'
import { ownExpectations } from '../shared/check-answers.ts'
import { originIdsOf, originsOf, type OriginIds } from '../shared/origins.ts'
import type { Pipeline } from '../shared/pipeline.ts'
import { preparePlan, searchSession } from '../shared/prepare-plan.ts'
import type { ReadableCompaction } from '../shared/readable-compactions.ts'
import { finishSummary, type SummaryMaterial } from '../shared/summary-material.ts'
import { summaryWork } from '../shared/summary-work.ts'
import { chooseCompaction, nothingToCompare } from './choose-compaction.ts'

interface ComparedRequest extends SessionRequest<Omit<ComparisonRequest, 'entries'>> {
  include: ReadonlySet<(typeof COMPARISON_PARTS)[number]>
  /** Returns the problem of a wrong number of a compaction. */
  refuse: (detail: string) => Problem
}

interface ComparedMaterial extends SummaryMaterial {
  compaction: ComparisonReply['compaction']
  agent: ComparisonReply['agent']
  facts: SessionFact[]
  /** Only if the request asks where the facts of the summaries are. */
  originIds?: OriginIds
}

/**
 * `POST /compaction/compare`: summarizes the entries that a compaction of the agent has replaced, from the same material: they and
 * the summary before them.
 */
const compareSession: Pipeline<ComparedRequest, ComparedMaterial> = {
  // A summary is written, but nothing is compacted.
  hooks: 'before',

  /** @throws Problem `invalid-session`, `nothing-to-compare`, `invalid-request` */
  prepare(read, context) {
    const { fields: request, session, include, refuse, format = 'pi' } = read
    const branch = selectBranch(session, request.leafId)
    const chosen = chooseCompaction(branch, request.compaction, refuse)
    const before = branch.slice(0, chosen.at)
    const plan = planReplaced(before, chosen, request)
    const redaction = searchSession({ plan, request, branch }, context, [chosen.summary])
    const prepared = preparePlan({ plan, request, branch: before, redaction }, context)
    const { inputs } = prepared.material
    const summary = redaction.text(chosen.summary)
    const originIds = include.has('provenance') ? originIdsOf(prepared.plan, before) : undefined
    const replaced = [...prepared.plan.history, ...prepared.plan.turnPrefix]
    const previousId = plan.previousCompaction?.id
    const material = defined({
      ...prepared.material,
      redaction: redaction.state(),
      compaction: describeCompaction(chosen, replaced, previousId),
      agent: defined({
        writer: chosen.isOwn ? 'precis' : format,
        model: modelBefore(before),
        ...{ summary, tokens: estimateSummary(summary), unknown: unknownIn(summary, prepared.material, context) },
        provenance: originIds && findProvenance({ summary, details: NO_FILES }, originsOf(originIds, inputs)),
      }),
      facts: findSessionFacts({ entries: replaced, runs: inputs.runs, work: inputs.work, previousId }),
      originIds,
    })
    return { material, writeTasks: prepared.writeTasks }
  },

  finish(material, drafts, context) {
    const { compaction, agent, facts, originIds } = material
    const result = finishSummary(material, drafts, context)
    const { summary, report } = result
    const precis = defined({
      ...{ summary, tokens: estimateSummary(summary), unknown: report.checks?.grounding?.unknown ?? [] },
      provenance: originIds && findProvenance(result, originsOf(originIds, material.inputs)),
      report,
    })
    const compared = compareFacts(facts, { agent: agent.summary, precis: summary })
    const reply: ComparisonReply = { compaction, agent, precis, ...compared }
    return { reply, summary, reported: { report } }
  },
}

const NO_FILES = { readFiles: [], modifiedFiles: [] }

/**
 * Returns the plan of the same compaction.
 * @param before the branch up to the compaction
 * @throws Problem `nothing-to-compare` if the session no longer has what it replaced
 */
function planReplaced(
  before: readonly Entry[],
  { keptFrom }: ReadableCompaction,
  { settings = {} }: ComparedRequest['fields'],
): CompactionPlan {
  const plan = planCompaction(before, settings, keptFrom)
  const { history, turnPrefix } = plan
  if (history.length + turnPrefix.length === 0) throw nothingToCompare(REPLACED_IS_GONE)
  // If it has kept nothing, no turn goes on after it.
  return keptFrom < before.length ? plan : { ...plan, history: [...history, ...turnPrefix], turnPrefix: [] }
}

const REPLACED_IS_GONE =
  'The session no longer has the entries that this compaction replaced, so there is nothing to write a second summary from. Send the session as it was before, or one whose agent keeps them.'

function describeCompaction(
  { number, of, entry }: ReadableCompaction,
  replaced: CompactionPlan['history'],
  previousId: string | undefined,
): ComparisonReply['compaction'] {
  return defined({
    ...{ number, of, entryId: entry.id, entries: replaced.length },
    tokens: replaced.reduce((sum, { message }) => sum + estimateMessageTokens(message), 0),
    firstEntryId: replaced[0]?.id ?? '',
    lastEntryId: replaced.at(-1)?.id ?? '',
    previousEntryId: previousId,
  })
}

/** Returns the model of the newest answer. */
function modelBefore(before: readonly Entry[]): string | undefined {
  const models = before.flatMap(({ message }) => (message?.role === 'assistant' ? (message.model ?? []) : []))
  return models.at(-1)
}

/** Returns the claims of a summary that its material does not have. */
function unknownIn(summary: string, material: SummaryMaterial, { templates }: WorkContext): string[] {
  const { history } = material.assignments
  const { sources = [] } = history === undefined ? {} : ownExpectations(history, material, templates)
  return checkGrounding(summary, sources).unknown
}

const READING = readingOf(COMPARISON_FORMS, false)

export default summaryWork({ compare: compareSession }, ({ query, ...body }, context) => {
  const { include, others } = readInclude(query, COMPARISON_PARTS)
  const request = readRequest({ ...body, query: others }, READING, context)
  const isFile = request.format !== undefined || request.source.isLines
  const refuse = (detail: string) =>
    isFile ? wrongParameter('compaction', detail) : invalidBody([{ pointer: '/compaction', detail }])
  return { name: 'compare', request: { ...request, include, refuse }, notes: request }
})
