import {
  isContradiction,
  isGoOn,
  isLeaving,
  isReplacing,
  isStopping,
  isUndone,
  isUnverified,
  readMissing,
  type StatedWork,
} from './done-claims.ts'
import { defined } from '../text/defined.ts'
import { plainWords, sharedShare, stemsOf } from './same-words.ts'
import { readQuestionAtEnd } from './user-answers.ts'
import { splitWishes } from './wishes.ts'
import { openItem, type WorkItem } from './work-item.ts'
import type { WorkProofs } from './work-proofs.ts'
import type { WorkTurn } from './work-turns.ts'

interface Around {
  proofs: WorkProofs
  isContinued: boolean
}

type Standing = Pick<WorkItem, 'state' | 'provenAt' | 'note'>

/** How a request stands at the end of its turn. */
type End = Standing & {
  /** Whether the agent has claimed that it is done, and what it says is missing was not asked for. */
  hasRest?: boolean
}

/** Returns the requests with their states, each followed by its wishes. */
export function readRequests(turns: readonly WorkTurn[], around: Around): WorkItem[] {
  const standings: Standing[] = []
  for (let index = turns.length - 1; index >= 0; index--) {
    const next = turns[index + 1]
    const after = next === undefined ? undefined : { turn: next, standing: standings[index + 1] ?? { state: 'open' } }
    const turn = turns[index]
    if (turn !== undefined) standings[index] = standingOf(turn, after, around)
  }
  return turns.flatMap((turn, index) => {
    const item = { ...openItem('request', beforeHeading(turn.request), turn.at), ...standings[index] }
    return [item, ...wishesOf(turn, item, around.proofs)]
  })
}

/** Returns a request without what is pasted below a heading. */
const beforeHeading = (request: string): string => {
  const [own = ''] = request.split(/\n#{1,6} /, 1)
  return own.trim() === '' ? request : own
}

interface After {
  turn: WorkTurn
  standing: Standing
}

/** Returns how a request stands. @param after the next one, since the user may go on with it, contradict it or replace it */
function standingOf(turn: WorkTurn, after: After | undefined, { proofs, isContinued }: Around): Standing {
  const { hasRest = false, ...own } = endOf(turn, after?.turn, proofs)
  if (after === undefined) return own.state === 'unknown' && isContinued ? { ...own, state: 'answered' } : own
  const { request, at, unwanted } = after.turn
  if (isUndone(request)) return { state: 'replaced', provenAt: at, note: UNDONE }
  if (own.state !== 'open' && isSaidAgain(request, turn.request)) return { state: 'replaced', provenAt: at }
  // The user has read what is missing, and went on to something else.
  if (hasRest && !isContradiction(request) && !isGoOn(request)) return { ...own, state: 'answered' }
  if (own.state === 'open') {
    if (isGoOn(request) || plainWords(request) === plainWords(turn.request)) return after.standing
    if (isReplacing(request, unwanted[0])) return { state: 'replaced', provenAt: at }
    if (isStopping(request)) return { state: 'open', note: STOPPED }
    // The user wrote while the agent worked, or answered its question: the work went on in the next turn.
    const goesOn = turn.end === 'unfinished' || own.note === ASKED
    // The user has interrupted the work to add to it.
    const isResumed = turn.end === 'interrupted' && isAnswered(after.standing) && proofs.goesOnWithFiles(turn.at)
    if (isResumed) return { ...followed(after.standing), note: RESUMED }
    return goesOn ? followed(after.standing) : own
  }
  if (isStopping(request)) return own.state === 'unknown' ? { state: 'open', note: STOPPED } : own
  if (isContradiction(request)) return followed(after.standing)
  return own.state === 'unknown' ? { ...own, state: 'answered', provenAt: at } : own
}

/** Returns the standing of a request whose work went on in the next turn: that turn may be about more than it. */
const followed = (after: Standing): Standing =>
  isAnswered(after) ? { state: 'answered', ...defined({ provenAt: after.provenAt }) } : { state: 'open' }

const isAnswered = ({ state }: Standing): boolean => state === 'said' || state === 'answered' || state === 'done'

/** Whether a user says a request once more: the words of one begin those of the other. */
function isSaidAgain(request: string, before: string): boolean {
  const [short = '', long = ''] = [request, before].map(plainWords).sort((a, b) => a.length - b.length)
  return short.length >= MIN_SAID_AGAIN && long.startsWith(short)
}

/** Shorter requests, such as "run the tests", are often said twice. */
const MIN_SAID_AGAIN = 40

/** The note of a request whose work the user has undone. */
export const UNDONE = 'undone by the user'
/** The note of an interrupted request whose work went on in the next turn. */
export const RESUMED = 'interrupted, and gone on with'
const ASKED = 'the agent asked back'
const STOPPED = 'stopped by the user'
const NOTES = { interrupted: 'interrupted', failed: 'the turn failed' } as const

/** Returns how a request stands at the end of its turn. @param next the turn after it, whose user may leave out what is missing */
function endOf({ request, at, end, answer }: WorkTurn, next: WorkTurn | undefined, proofs: WorkProofs): End {
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
  if (failed !== undefined) return { state: 'open', provenAt: answer.at, note: `\`${failed}\` failed` }
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

/** A claim with this share of the words of a wish is about it. */
const NAMED_SHARE = 0.6
const SHORTFALL_SHARE = 0.5

/** Returns the wishes of a request. In its own answer, less has to be said of each than elsewhere. */
function wishesOf({ request, at, answer }: WorkTurn, whole: WorkItem, proofs: WorkProofs): WorkItem[] {
  const wishes = splitWishes(request)
  if (wishes.length === 0) return []
  const { claims = [], shortfalls = [] } = answer ?? {}
  return wishes.map((wish) => {
    const item = openItem('wish', wish, at)
    const stems = stemsOf(wish)
    const isAbout = (share: number) => (stated: StatedWork) => sharedShare(stems, stated.stems) >= share
    if (whole.state === 'replaced') return { ...item, state: 'replaced', ...proofOf(whole) }
    if (shortfalls.some(isAbout(SHORTFALL_SHARE))) return { ...item, note: 'the agent says that it is not done' }
    if (answer === undefined) return item
    if (claims.some(isAbout(NAMED_SHARE)) && proofs.failedBefore(at, answer.at) === undefined)
      return { ...item, state: 'said', provenAt: answer.at }
    return whole.state === 'open' ? item : { ...item, state: 'answered', ...proofOf(whole) }
  })
}

const proofOf = ({ provenAt }: WorkItem): Pick<WorkItem, 'provenAt'> => defined({ provenAt })

/**
 * Clients such as Codex keep messages of the user beside the summary, without the answers: of those at the beginning, only the last one
 * may be unanswered.
 */
export function passKept(requests: readonly WorkItem[], turns: readonly { at: number }[]): void {
  const end = turns.findIndex(({ at }, index) => at !== index)
  const kept = (end < 0 ? turns.length : end) - 1
  for (const item of requests)
    if (item.at < kept && item.state === 'open')
      Object.assign(item, { state: 'unknown', note: 'said before an earlier compaction', isOlder: true })
}
