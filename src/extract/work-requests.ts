import { defined } from '../text/defined.ts'
import { isForbidding } from './bans.ts'
import { namingWords } from './cut-request.ts'
import { isGoOn } from './go-on.ts'
import { readLeft } from './left-items.ts'
import { isAboutSame, isSaidAgain } from './next-request.ts'
import { plainWords } from './same-words.ts'
import { wishRefuter } from './refuted-claims.ts'
import { isSettled, isTakenUp } from './taken-up.ts'
import { AGENT_NOTE, ASKED, endOfTurn, readTurn, type End, type ReadTurn, type Standing } from './turn-end.ts'
import { isSmallTalk } from './user-text.ts'
import { listedWishes } from './listed-wishes.ts'
import { splitWishes } from './wishes.ts'
import { sinceThen } from './since-then.ts'
import { openItem, wishItem, type WorkItem } from './work-item.ts'
import type { WorkProofs } from './work-proofs.ts'
import type { WorkTurn } from './work-turns.ts'
import { isContradiction, isStopping, isUndoneWhole, isWithdrawing } from './verdict-words.ts'

interface Around {
  proofs: WorkProofs
  isContinued: boolean
  /** Whether messages after these, which stay, answer the last request. */
  isAnsweredLater: boolean
}

/** Returns the requests with their states, each followed by its wishes. */
export function readRequests(turns: readonly WorkTurn[], around: Around): WorkItem[] {
  const said = turns.map((turn, index) => ({ ...turn, ...readTurn(turn, turns[index + 1], around.proofs) }))
  const ends = said.map((turn) => endOfTurn(turn, around.proofs))
  const standings: Standing[] = []
  for (let index = turns.length - 1; index >= 0; index--) {
    const next = turns[index + 1]
    const after = next === undefined ? undefined : { turn: next, standing: standings[index + 1] ?? { state: 'open' } }
    const [turn, end] = [said[index], ends[index]]
    if (turn !== undefined && end !== undefined) standings[index] = standingOf(turn, { end, after }, around)
  }
  return turns.flatMap((turn, index) => {
    if (isJoined(turn, ends[index - 1])) return []
    const since = sinceThen(turn, { ...standings[index], proofs: around.proofs })
    const item = {
      ...openItem('request', beforeHeading(namingWords(turn.request)), turn.at),
      ...standings[index],
      ...(since.length > 0 && { since }),
    }
    const wishes = wishesOf(turn, item, {
      parts: said[index]?.parts ?? [],
      proofs: around.proofs,
      next: turns[index + 1],
    })
    // What it names as not done below a claim about all is not done.
    if (item.state === 'said' && wishes.some(({ state, note }) => state === 'open' && note !== undefined))
      item.state = 'answered'
    return [item, ...(around.isAnsweredLater && index === turns.length - 1 ? wishes.map(answeredLater) : wishes)]
  })
}

const answeredLater = (item: WorkItem): WorkItem =>
  item.state === 'open' ? { ...item, state: 'answered', note: ANSWERED_BELOW } : item

/** Whether a turn only goes on with the work of the one before it, which has not ended: its request has both. */
const isJoined = ({ request }: WorkTurn, before: Standing | undefined): boolean =>
  before !== undefined && isUnfinished(before) && isGoOn(request)

const isUnfinished = ({ state }: Standing): boolean => state === 'open' || state === 'unknown'

/** Returns a request without what is pasted below a heading. */
const beforeHeading = (request: string): string => {
  const [own = ''] = request.split(/\n#{1,6} /, 1)
  return own.trim() === '' ? request : own
}

interface After {
  turn: WorkTurn
  standing: Standing
}

/**
 * Returns how a request stands.
 * @param around how its turn has ended, and the next one, since the user may go on with it, contradict it or replace it
 */
function standingOf(
  turn: ReadTurn,
  { end: { hasRest = false, ...own }, after }: { end: End; after: After | undefined },
  { proofs, isContinued, isAnsweredLater }: Around,
): Standing {
  if (after === undefined && isAnsweredLater && own.state === 'open') return { state: 'answered', note: ANSWERED_BELOW }
  if (after === undefined) return own.state === 'unknown' && isContinued ? { ...own, state: 'answered' } : own
  const { request, at } = after.turn
  if (isUndoneWhole(request)) return { state: 'replaced', provenAt: at, note: UNDONE }
  const isSame = plainWords(request) === plainWords(turn.request)
  if ((own.state !== 'open' || !isSame) && isSaidAgain(request, turn.request))
    return { state: 'replaced', provenAt: at }
  // The user has read what is missing, and went on to something else, or wants what was done in another way.
  if (hasRest && !isGoOn(request)) return isContradiction(request) ? contradicted(after) : { ...own, state: 'answered' }
  if (isUnfinished(own) && isGoOn(request)) return goneOn(own, after.standing)
  if (own.state === 'open') {
    if (isSame) return after.standing
    // The agent has done what it had left, and the user agreed.
    if (AGENT_NOTE.test(own.note ?? '') && isSmallTalk(request) && after.standing.state === 'said')
      return followed(after.standing)
    const wasCut = turn.end === 'interrupted' || turn.end === 'failed'
    if (wasCut && isWithdrawing(request)) return { state: 'replaced', provenAt: at, note: WITHDRAWN }
    if (isStopping(request)) return { state: 'open', note: STOPPED }
    // The user wrote while the agent worked, or answered its question: the work went on in the next turn.
    const goesOn = turn.end === 'unfinished' || own.note === ASKED
    // The user has interrupted the work to add to it.
    const isResumed = turn.end === 'interrupted' && isAnswered(after.standing) && isCarriedOn(turn, request, proofs)
    if (isResumed) return { ...followed(after.standing), note: RESUMED }
    if (own.note === ASKED && isSettled(turn, proofs)) return followed({ ...own, state: 'answered' })
    if (goesOn) return followed(after.standing)
    return !isContradiction(request) && isTakenUp(turn, own, proofs.turns)
      ? followed({ ...own, state: 'answered' })
      : own
  }
  if (isStopping(request)) return own.state === 'unknown' ? { state: 'open', note: STOPPED } : own
  if (isContradiction(request)) return contradicted(after)
  return own.state === 'unknown' ? { ...own, state: 'answered', provenAt: at } : own
}

/** Whether the next request goes on with a turn, by its words or in the same files. */
const isCarriedOn = ({ request, at, parts }: ReadTurn, next: string, proofs: WorkProofs): boolean =>
  (parts.length < 2 && isAboutSame(next, request)) || proofs.goesOnWithFiles(at)

/** Returns the standing of a request whose work went on in the next turn: that turn may be about more than it. */
const followed = (after: Standing): Standing =>
  isAnswered(after) ? { state: 'answered', ...defined({ provenAt: after.provenAt }) } : { state: 'open' }

/** Returns the standing of a request whose answer the user may contradict: his words are a request of their own. */
const contradicted = ({ turn: { at }, standing }: After): Standing =>
  standing.state === 'open' ? { state: 'open' } : { state: 'answered', provenAt: at }

/** Returns the standing of a request that the user has only gone on with: what the agent has said is missing may still be. */
function goneOn(own: Standing, after: Standing): Standing {
  if (!AGENT_NOTE.test(own.note ?? '') || after.note !== undefined || after.state === 'unknown') return after
  // What the user then wants in another way is what was missing, and not what was done.
  return { ...own, state: after.state === 'open' ? 'open' : 'answered' }
}

const isAnswered = ({ state }: Standing): boolean => state === 'said' || state === 'answered' || state === 'done'

/** The note of a request whose work the user has undone. */
export const UNDONE = 'undone by the user'
/** The note of a request that messages after these answer, which stay: it was at work where these end. */
export const ANSWERED_BELOW = 'its turn goes on below, and is answered there'
/** Whether an item is open where these messages end: what only messages after them answer is, too. */
export const isOpenAtEnd = ({ state, note }: Pick<WorkItem, 'state' | 'note'>): boolean =>
  state === 'open' || note === ANSWERED_BELOW
/** The note of an interrupted request whose work went on in the next turn. */
export const RESUMED = 'interrupted, and gone on with'
/** The note of a request that the user wants no more. */
export const WITHDRAWN = 'withdrawn by the user'
const STOPPED = 'stopped by the user'

interface Said extends Pick<ReadTurn, 'parts'> {
  proofs: WorkProofs
  next: WorkTurn | undefined
}

/** Returns the parts of a request as wishes; none where it has only one. */
function wishesOf({ request, at, answer }: WorkTurn, whole: WorkItem, { parts, proofs, next }: Said): WorkItem[] {
  const saidAt = answer?.at ?? proofs.commitsOf(at).at(-1)?.at ?? at
  if (parts.length < 2) return []
  const isRefuted = wishRefuter([at, saidAt], proofs)
  const isFollowed = isGoOn(next?.request ?? '')
  const leads = new Map(listedWishes(request).map((wish) => [wish.text, wish.lead]))
  const leftOf = readLeft(answer?.text ?? '', parts)
  return parts.map(({ text, said: first, by: short = '', isNumbered }) => {
    const item = wishItem({ text, lead: leads.get(text) ?? '' }, at)
    const left = first === 'missing' ? short : leftOf(text)
    const [said, by] = left === undefined ? [first, short] : (['missing', left] as const)
    if (whole.state === 'replaced') return { ...item, state: 'replaced', ...proofOf(whole) }
    if (said === 'missing' && (whole.state === 'open' || !isFollowed))
      return { ...item, provenAt: saidAt, note: `the agent: "${by}"`, ...defined({ since: whole.since }) }
    if (said === 'done' && !isForbidding(text) && !isRefuted(item)) return { ...item, state: 'said', provenAt: saidAt }
    if (whole.state !== 'open' && answer !== undefined) return { ...item, state: 'answered', ...proofOf(whole) }
    return isNumbered === true ? { ...item, note: 'the answer names its number' } : item
  })
}

/** Returns items without wishes that say nothing of their own: those of no list, whose states are all the same. */
export function withoutEvenWishes(items: readonly WorkItem[], turns: readonly WorkTurn[]): WorkItem[] {
  const states = new Map<number, Set<string>>()
  for (const { kind, at, state } of items) if (kind === 'wish') states.set(at, (states.get(at) ?? new Set()).add(state))
  const shown = new Set<number>()
  for (const { at, request } of turns) {
    const count = states.get(at)?.size ?? 0
    if (count > 1 || (count === 1 && splitWishes(request).length > 0)) shown.add(at)
  }
  return items.filter(({ kind, at }) => kind !== 'wish' || shown.has(at))
}

const proofOf = ({ provenAt }: WorkItem): Pick<WorkItem, 'provenAt'> => defined({ provenAt })
