import { isUnverified, readMissing, type StatedWork } from './done-claims.ts'
import { sharedShare, stemsOf } from './same-words.ts'
import { isLeaving } from './stopping-words.ts'
import { readQuestionAtEnd } from './user-answers.ts'
import type { WorkItem } from './work-item.ts'
import type { WorkProofs } from './work-proofs.ts'
import type { WorkTurn } from './work-turns.ts'

export type Standing = Pick<WorkItem, 'state' | 'provenAt' | 'note'>

/** How a request stands at the end of its turn. */
type End = Standing & {
  /** Whether the agent has claimed that it is done, and what it says is missing was not asked for. */
  hasRest?: boolean
}

/** The note of a request at whose end the agent asked something. */
export const ASKED = 'the agent asked back'
const NOTES = { interrupted: 'interrupted', failed: 'the turn failed' } as const

/** A shortfall with this share of the words of a request or a wish is about it. */
export const SHORTFALL_SHARE = 0.5

/** Returns how a request stands at the end of its turn. @param next the turn after it, whose user may leave out what is missing */
export function endOfTurn({ request, at, end, answer }: WorkTurn, next: WorkTurn | undefined, proofs: WorkProofs): End {
  if (end === 'interrupted' || end === 'failed') return { state: 'open', note: NOTES[end] }
  if (answer === undefined) return { state: 'open' }
  const hasClaim = answer.claims.length > 0
  const { shortfalls, suppliedAt } = withoutSupplied(answer, next, proofs)
  if (shortfalls.length > 0) return missing(request, shortfalls, { provenAt: answer.at, hasClaim })
  if (answer.shortfalls.length > 0)
    return suppliedAt === answer.at
      ? { state: 'answered', provenAt: suppliedAt }
      : { state: 'said', provenAt: suppliedAt, note: 'committed since' }
  if (!hasClaim && readQuestionAtEnd(answer.text) !== undefined)
    return { state: 'open', provenAt: answer.at, note: ASKED }
  const failed = hasClaim ? proofs.failedBefore(at, answer.at) : proofs.failedLast(at, answer.at)
  if (failed !== undefined) {
    // The agent has reported the failure: what becomes of it is for the user to say.
    if (hasClaim && readQuestionAtEnd(answer.text) !== undefined)
      return { state: 'open', provenAt: answer.at, note: ASKED }
    // What had failed before the request in the same way was not asked for.
    const isAsBefore = hasClaim && proofs.failsAsBefore(failed, at, answer.at)
    const note = `\`${failed}\` failed${isAsBefore ? ', as before' : ''}`
    return { state: 'open', provenAt: answer.at, note, hasRest: isAsBefore }
  }
  return { state: hasClaim ? 'said' : 'unknown', provenAt: answer.at }
}

/**
 * Returns the shortfalls of an answer without those that were made up for since, by the commit and the check that were missing, and
 * without those that the user has agreed to.
 */
function withoutSupplied(answer: NonNullable<WorkTurn['answer']>, next: WorkTurn | undefined, proofs: WorkProofs) {
  let suppliedAt = answer.at
  const shortfalls = answer.shortfalls.filter(({ text }) => {
    const missed = readMissing(text)
    if (missed.more) return next === undefined || !isLeaving(next.request)
    const commit = proofs.committedAfter(answer.at)
    if (commit === undefined || (missed.check && !proofs.passedBetween(answer.at, commit))) return true
    suppliedAt = Math.max(suppliedAt, commit)
    return false
  })
  return { shortfalls, suppliedAt }
}

/** Returns how a request stands of which the agent says what is missing: it is open, unless that was only not verified. */
function missing(
  request: string,
  shortfalls: readonly StatedWork[],
  { provenAt, hasClaim }: { provenAt: number; hasClaim: boolean },
): End {
  const stems = stemsOf(request)
  const isNamed = (one: StatedWork): boolean => sharedShare(one.stems, stems) >= SHORTFALL_SHARE
  const asked = shortfalls.find((one) => !isUnverified(one.text) || isNamed(one))
  return {
    state: asked === undefined ? 'unknown' : 'open',
    provenAt,
    note: `the agent: "${(asked ?? shortfalls[0])?.text ?? ''}"`,
    hasRest: hasClaim && !shortfalls.some(isNamed),
  }
}
