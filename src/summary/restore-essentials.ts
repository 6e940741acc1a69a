import type { Message } from '../session/message.ts'
import type { Cooperative } from '../runtime/cooperative.ts'
import { NO_PRIOR_HISTORY, TURN_CONTEXT_LABEL } from '../text/summary-headings.ts'
import { carryConstraints } from './constraints.ts'
import { collectEvidence, type Evidence, mergeEvidence } from './evidence.ts'
import { writeEvidence } from './evidence-section.ts'
import { findLatestRequest, findOpenQuestion, keepWordForWord } from './requests.ts'

/** What a summary was made of, without secrets. */
export interface SummaryInputs {
  /** The messages that were summarized, oldest first. */
  history: readonly Message[]
  turnPrefix: readonly Message[]
  /** Those that stay. */
  kept: readonly Message[]
  /** The newest request before the span: it is still the current one where nobody asked for anything since. */
  earlierRequest?: string | undefined
  /** The previous summary without its file tags and its evidence. */
  previousSummary?: string | undefined
  /** The previous summary's evidence. */
  evidence: Evidence
  /** Output limit of the summary, in tokens. */
  limitTokens: number
}

/** What stands in a summary beside what its model wrote, found by code. */
export interface Essentials {
  summary: string
  /** Left out where nobody asked for anything. */
  latestRequest?: 'kept' | 'restored'
  /** Constraints that were put back. */
  constraintsRestored: number
}

/**
 * Merges the texts of history and turn prefix, and sees to it that what no compaction may lose is in them: the newest
 * request and an open question word for word, what the user demanded, and the evidence of what failed.
 * @param texts what the model wrote; without new history the previous summary stands unchanged (planning rule 8)
 */
export function* restoreEssentials(written: Texts, inputs: SummaryInputs): Cooperative<Essentials> {
  const maxTokens = Math.floor(inputs.limitTokens * MAX_ADDED_SHARE)
  const { texts, latestRequest } = keepRequests(written, inputs)
  // A demand in the newest request stands there already.
  const { texts: carried, restored } = yield* carryIn(texts, inputs, maxTokens)
  const collected = yield* collectEvidence([...inputs.history, ...inputs.turnPrefix])
  const evidence = mergeEvidence(inputs.evidence, collected)
  const section = writeEvidence(evidence, { maxTokens })
  return {
    summary: [merge(carried, inputs), section].filter(Boolean).join('\n\n'),
    ...(latestRequest === undefined ? {} : { latestRequest }),
    constraintsRestored: restored,
  }
}

/**
 * Evidence, and constraints that are put back, take at most this share of the limit each: a twentieth of the reserve, of
 * which the limit is 0.8.
 */
const MAX_ADDED_SHARE = 0.05 / 0.8

interface Texts {
  history: string | undefined
  turnPrefix: string | undefined
}

function keepRequests(texts: Texts, inputs: SummaryInputs): { texts: Texts } & Pick<Essentials, 'latestRequest'> {
  const wanted = findWanted(inputs)
  if (wanted.length === 0) return { texts }
  const merged = merge(texts, inputs)
  const missing = wanted.filter((text) => keepWordForWord(merged, [text]).status === 'restored')
  if (missing.length === 0) return { texts, latestRequest: 'kept' }
  // A history that is the previous summary stays as it is: then the turn's own text takes what is missing.
  const at = texts.history === undefined ? 'turnPrefix' : 'history'
  const restored = keepWordForWord(texts[at] ?? '', missing).summary
  return { texts: { ...texts, [at]: restored }, latestRequest: 'restored' }
}

function findWanted({ history, turnPrefix, kept, earlierRequest }: SummaryInputs): string[] {
  const span = [...history, ...turnPrefix]
  const request = findLatestRequest(span) ?? earlierRequest
  return [request, findOpenQuestion([...span, ...kept])].filter((text) => text !== undefined)
}

/** The turn's beginning is covered by the next compaction: what was demanded in it must be said now. */
function* carryIn(
  texts: Texts,
  inputs: SummaryInputs,
  maxTokens: number,
): Cooperative<{ texts: Texts; restored: number }> {
  const { history, turnPrefix, previousSummary } = inputs
  const at = texts.history === undefined ? 'turnPrefix' : 'history'
  const { summary, restored } = yield* carryConstraints(texts[at] ?? '', {
    messages: [...history, ...turnPrefix],
    saidElsewhere: at === 'history' ? texts.turnPrefix : previousSummary,
    maxTokens,
    // Where there is no new history the previous summary stands as it is.
    previousSummary: at === 'history' ? previousSummary : undefined,
  })
  return { texts: { ...texts, [at]: summary }, restored }
}

function merge({ history, turnPrefix }: Texts, { previousSummary }: SummaryInputs): string {
  const before = history ?? previousSummary ?? NO_PRIOR_HISTORY
  return turnPrefix === undefined ? before : mergeTurnContext(before, turnPrefix)
}

/** Joins the two summaries of a split turn (planning rule 8). */
function mergeTurnContext(history: string, turnPrefix: string): string {
  return `${history}\n\n---\n\n${TURN_CONTEXT_LABEL}\n\n${turnPrefix}`
}
