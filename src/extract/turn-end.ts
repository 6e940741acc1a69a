import { claimsEach, readClaimedParts, type ClaimedPart } from './claimed-parts.ts'
import { readMissing, sentencesOf, type StatedWork } from './done-claims.ts'
import { isNotReproduced, isUnverified } from './left-words.ts'
import { isGoOn } from './go-on.ts'
import { readNumberedParts } from './numbered-parts.ts'
import { offersAll } from './offers-all.ts'
import { refutedBy } from './refuted-claims.ts'
import { sharedShare, stemsOf } from './same-words.ts'
import { readQuestionAtEnd } from './user-text.ts'
import { lastAt, type WorkItem } from './work-item.ts'
import type { WorkProofs } from './work-proofs.ts'
import type { WorkTurn } from './work-turns.ts'
import { isLeaving, isPostponing } from './verdict-words.ts'
import { splitRequest } from './wishes.ts'

export type Standing = Pick<WorkItem, 'state' | 'provenAt' | 'note'>

/** How a request stands at the end of its turn. */
export type End = Standing & {
  /** Whether the agent has claimed that it is done, and what it says is missing was not asked for. */
  hasRest?: boolean
}

/** The note of a request at whose end the agent asked something. */
export const ASKED = 'the agent asked back'
/** The note of a request of which the answer claims only a part. */
export const PARTLY = 'the answer claims only a part of it'
/** The notes of requests whose turns were cut off. */
export const NOTES = { interrupted: 'interrupted', failed: 'the turn failed' } as const
/** A note with what the agent has said is missing. */
export const AGENT_NOTE = /^the agent: "(.{1,600})"$/

/** A shortfall with this share of the words of a request is about it. */
const SHORTFALL_SHARE = 0.5

/** A turn, and what its answer says of its request. */
export interface ReadTurn extends WorkTurn {
  parts: readonly ClaimedPart[]
  /** What is missing. */
  shortfalls: readonly StatedWork[]
  /** The message that has supplied what the answer says was missing, or has the answer: an index. */
  suppliedAt: number
}

/** An answer that says nothing: that of a turn which has not ended with one. */
const NO_ANSWER = { text: '', claims: [], shortfalls: [] }

/** Returns what the answer of a turn says of its request. @param next the turn after it, whose user may leave out what is missing */
export function readTurn(
  { request, at, answer }: WorkTurn,
  next: WorkTurn | undefined,
  proofs: WorkProofs,
): Omit<ReadTurn, keyof WorkTurn> {
  // What the user only postpones is left as he wants it.
  const isWaiting = sentencesOf(request).every(isPostponing)
  const supplied =
    answer === undefined || isWaiting
      ? { shortfalls: [], suppliedAt: answer?.at ?? at }
      : withoutSupplied(answer, next, proofs)
  const { shortfalls } = supplied
  return {
    ...supplied,
    parts: readNumberedParts(
      readClaimedParts(splitRequest(request), { ...(answer ?? NO_ANSWER), shortfalls }, proofs.commitsOf(at)),
      request,
      answer?.text ?? '',
    ),
  }
}

/** Returns how a request stands at the end of its turn. */
export function endOfTurn(
  { request, at, end, answer, parts, shortfalls, suppliedAt }: ReadTurn,
  proofs: WorkProofs,
): End {
  if (end === 'interrupted' || end === 'failed') return { state: 'open', note: NOTES[end] }
  if (answer === undefined) return { state: 'open' }
  const hasClaim = answer.claims.length > 0
  const short = shortfalls.length === 0 ? undefined : missing(request, shortfalls, { provenAt: answer.at, parts })
  if (short !== undefined && (short.state === 'open' || !hasClaim)) return short
  if (short === undefined && answer.shortfalls.length > 0)
    return suppliedAt === answer.at
      ? { state: 'answered', provenAt: suppliedAt }
      : { state: 'said', provenAt: suppliedAt, note: 'committed since' }
  if ((!hasClaim || offersAll(answer.text)) && readQuestionAtEnd(answer.text) !== undefined)
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
  const refuted = hasClaim ? (refutedBy([at, answer.at], proofs, isGoOn(request)) ?? partlyClaimed(parts)) : undefined
  return {
    ...(short ?? { provenAt: answer.at }),
    state: hasClaim && !shortfalls.some(({ text }) => isNotReproduced(text)) ? 'said' : 'unknown',
    ...(refuted && { ...refuted, state: 'open' }),
  }
}

/**
 * Whether a turn has not done all of its request, whatever is claimed: the answer asks something or does not claim each sentence, or the
 * turn has done nothing but look.
 */
export const leavesParts = ({ request, at, answer }: WorkTurn, proofs: WorkProofs): boolean =>
  answer !== undefined &&
  (readQuestionAtEnd(answer.text) !== undefined ||
    // A turn that began before the messages may have done more.
    (request !== '' && proofs.checks.onlyLooked(at, answer.at)) ||
    !claimsEach(request, answer, proofs.commitsOf(at)))

/** Returns what is said against a request whose answer does not claim all parts of it. */
function partlyClaimed(parts: readonly ClaimedPart[]): Pick<End, 'note' | 'hasRest'> | undefined {
  const missing = parts.find(({ said }) => said === 'missing')
  if (missing !== undefined) return { note: `the agent: "${missing.by ?? ''}"` }
  return parts.every(({ said }) => said === 'done') ? undefined : { note: PARTLY, hasRest: true }
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
    if (commit === undefined || (missed.check && lastAt(proofs.checks.runs.passes, commit) <= answer.at)) return true
    suppliedAt = Math.max(suppliedAt, commit)
    return false
  })
  return { shortfalls, suppliedAt }
}

/** Returns how a request stands of which the agent says what is missing: it is open, unless that was only not verified. */
function missing(
  request: string,
  shortfalls: readonly StatedWork[],
  { provenAt, parts }: { provenAt: number; parts: readonly ClaimedPart[] },
): End {
  const stems = stemsOf(request)
  const isNamed = (one: StatedWork): boolean => sharedShare(one.stems, stems) >= SHORTFALL_SHARE
  const asked = shortfalls.find((one) => !isUnverified(one.text) || isNamed(one))
  return {
    state: asked === undefined ? 'unknown' : 'open',
    provenAt,
    note: `the agent: "${(asked ?? shortfalls[0])?.text ?? ''}"`,
    hasRest:
      parts.some(({ said }) => said === 'done') &&
      !parts.some(({ by }) => by !== undefined) &&
      !shortfalls.some(isNamed),
  }
}
