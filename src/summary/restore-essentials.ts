import type { Message } from '../session/message.ts'
import { NO_PRIOR_HISTORY, TURN_CONTEXT_LABEL } from '../text/summary-headings.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import { carryConstraints } from './constraints.ts'
import { collectEvidence, type Evidence } from './evidence.ts'
import { writeEvidence } from './evidence-section.ts'
import { findLatestRequest, findOpenQuestion, keepWordForWord } from './requests.ts'
import { withoutStated } from './stated-evidence.ts'

/** The content that a summary is made from, without secrets. */
export interface SummaryInputs {
  /** The summarized messages, oldest first. */
  history: readonly Message[]
  turnPrefix: readonly Message[]
  /** The messages that stay. */
  kept: readonly Message[]
  /** The newest request before the span: it is still the current one if the user has not asked for anything since. */
  earlierRequest?: string | undefined
  /** The previous summary without its file tags and its evidence. */
  previousSummary?: string | undefined
  /** The previous summary's evidence. */
  evidence: Evidence
  /** Output limit of the summary, in tokens. */
  limitTokens: number
}

/** A summary with the content that code added to the model's text. */
export interface Essentials {
  summary: string
  /** Left out where the user has not asked for anything. */
  latestRequest?: 'kept' | 'restored'
  /** The number of constraints that were added. */
  constraintsRestored: number
  /** The tokens of the section of evidence; 0 without one. */
  evidenceTokens: number
}

/**
 * Merges the texts of history and turn prefix, and adds what no compaction may lose: the newest request and an open
 * question word for word, the user's demands, and the evidence of failures.
 * @param written the model's texts; without new history the previous summary stays unchanged (planning rule 8)
 */
export function restoreEssentials(written: Texts, inputs: SummaryInputs): Essentials {
  const maxTokens = Math.floor(inputs.limitTokens * MAX_ADDED_SHARE)
  const { texts, latestRequest } = keepRequests(written, inputs)
  const { texts: carried, restored } = carryIn(texts, inputs, maxTokens)
  const evidence = collectEvidence([...inputs.history, ...inputs.turnPrefix], inputs.evidence)
  const text = merge(carried, inputs)
  const section = writeEvidence(withoutStated(evidence, text), { maxTokens })
  return {
    summary: [text, section].filter(Boolean).join('\n\n'),
    evidenceTokens: estimateTextTokens(section),
    ...(latestRequest === undefined ? {} : { latestRequest }),
    constraintsRestored: restored,
  }
}

/**
 * The maximum share of the limit for evidence, and the same for added constraints: a twentieth of the reserve. The
 * limit is 0.8 of the reserve.
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
  // Without new history the previous summary stays unchanged: the missing texts are added to the turn's text.
  const at = texts.history === undefined ? 'turnPrefix' : 'history'
  const restored = keepWordForWord(texts[at] ?? '', missing).summary
  return { texts: { ...texts, [at]: restored }, latestRequest: 'restored' }
}

function findWanted({ history, turnPrefix, kept, earlierRequest }: SummaryInputs): string[] {
  const span = [...history, ...turnPrefix]
  const request = findLatestRequest(span) ?? earlierRequest
  return [request, findOpenQuestion([...span, ...kept])].filter((text) => text !== undefined)
}

/** Adds lasting demands. The next compaction covers the turn's beginning, so the demands in it must be stated now. */
function carryIn(texts: Texts, inputs: SummaryInputs, maxTokens: number): { texts: Texts; restored: number } {
  const { history, turnPrefix, previousSummary } = inputs
  const at = texts.history === undefined ? 'turnPrefix' : 'history'
  const { summary, restored } = carryConstraints(texts[at] ?? '', {
    messages: [...history, ...turnPrefix],
    saidElsewhere: at === 'history' ? texts.turnPrefix : previousSummary,
    maxTokens,
    // Without new history the previous summary stays unchanged.
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
