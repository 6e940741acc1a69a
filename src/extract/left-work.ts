import { isBan } from './bans.ts'
import { shorten } from '../text/shorten.ts'
import { isNamed, subjectOf } from './claimed-parts.ts'
import { leftClauses, sentencesOf } from './done-claims.ts'
import { isOrder, readDeferred } from './deferred.ts'
import { isUnverified, saysFailing } from './left-words.ts'
import { areAllIn } from './same-words.ts'
import { isSupplied } from './taken-up.ts'
import { AGENT_NOTE, NOTES } from './turn-end.ts'
import { readPostponed, type Postponed } from './verdict-words.ts'
import { lastUpTo, openItem, type WorkItem } from './work-item.ts'
import type { WorkProofs } from './work-proofs.ts'
import type { WorkTurn } from './work-turns.ts'

/** Work that is left after its turn: what the user postpones, and what the agent leaves of a request that was answered. */

/** The beginning of the note of what the user postpones: his words follow. */
const WAITS = "waits: '"

const waits = (sentence: string): string => `${WAITS}${sentence}'`

/** What is postponed, as a step of an earlier summary has it. */
const WAITING_STEP = /^(.{1,200}?) \(waits: '.{1,200}'\)$/

/** What is postponed, and whether words are about it. */
interface Thing {
  text: string
  isIn: (words: ReadonlySet<string>) => boolean
}

/** Words of an offer that do not say what it is about. */
const TIME = new Set(['now', 'next', 'then', 'later', 'jetzt', 'maintenant', 'ahora'])

/** Returns what a user postpones; where the words do not say it, that is what the agent has offered or left before them. */
function thingOf({ thing }: Postponed, before: WorkTurn | undefined): Thing | undefined {
  const named = subjectOf(thing)
  if (named.size > 0) return { text: thing, isIn: (words) => areAllIn(named, words) }
  const { text = '', shortfalls = [] } = before?.answer ?? {}
  const offered = leftClauses(text).at(-1)?.words ?? shortfalls.at(-1)?.text ?? (thing === '' ? '' : before?.request)
  const words = new Set([...subjectOf(offered ?? '')].filter((word) => !TIME.has(word)))
  return words.size === 0 ? undefined : { text: offered ?? '', isIn: (others) => isNamed(words, others) }
}

/** Returns the request or the wish that a thing is in, if it is not done: the newest one. */
function itemOf(requests: readonly WorkItem[], { isIn }: Thing, at: number): WorkItem | undefined {
  const found = requests.filter(
    (item) => item.at < at && /^(?:open|unknown|answered)$/.test(item.state) && isIn(subjectOf(item.text)),
  )
  const hasWishes = new Set(requests.filter(({ kind }) => kind === 'wish').map((wish) => wish.at))
  return found.findLast(({ kind }) => kind === 'wish') ?? found.findLast((item) => !hasWishes.has(item.at))
}

/**
 * Opens the requests and wishes that the user postpones, and returns what else is left, as steps.
 * @param steps those of an earlier summary: the user may ask for them now
 */
export function leaveWork(
  { requests, steps }: { requests: readonly WorkItem[]; steps: readonly WorkItem[] },
  turns: readonly WorkTurn[],
  proofs: WorkProofs,
): WorkItem[] {
  const postponed = [...postpone(requests, steps, turns), ...turns.flatMap((turn) => defer(turn, requests, proofs))]
  const left = leftSteps(requests, proofs)
  // The answer may list the same.
  return [...postponed, ...left.filter(({ text }) => !steps.some((step) => text.includes(step.text)))]
}

/**
 * Opens the requests and wishes that the user postpones, with his words, until he asks for them again.
 * @param steps those of an earlier summary: the user may ask for them now
 * @returns what he postpones besides, as steps
 */
function postpone(requests: readonly WorkItem[], steps: readonly WorkItem[], turns: readonly WorkTurn[]): WorkItem[] {
  const askedAt = ({ isIn }: Thing, from: number): number | undefined =>
    turns.slice(from).find(({ request }) => isIn(subjectOf(request)) && readPostponed(request).length === 0)?.at
  for (const step of steps) {
    const thing = thingOf({ sentence: '', thing: WAITING_STEP.exec(step.text)?.[1] ?? '' }, undefined)
    const provenAt = thing && askedAt(thing, 0)
    if (provenAt !== undefined) Object.assign(step, { state: 'replaced', provenAt })
  }
  return turns.flatMap(({ request, at }, index) =>
    readPostponed(request).flatMap((said) => {
      const thing = thingOf(said, turns[index - 1])
      if (thing === undefined || askedAt(thing, index + 1) !== undefined) return []
      const item = itemOf(requests, thing, at)
      if (item === undefined) return [openItem('step', `${thing.text} (${waits(said.sentence)})`, at)]
      Object.assign(item, { state: 'open', note: waits(said.sentence) })
      delete item.provenAt
      const whole = requests.find((one) => one.kind === 'request' && one.at === item.at)
      if (whole?.state === 'said') whole.state = 'answered'
      return []
    }),
  )
}

/** Opens a request, or a wish of it, that is not to be done now, until the user asks for it again or the agent claims it; or returns it as a step. */
function defer(turn: WorkTurn, requests: readonly WorkItem[], { turns, checks }: WorkProofs): WorkItem[] {
  return readDeferred(turn, checks).flatMap(({ sentence, task, until, isWhole }) => {
    const words = subjectOf(sentence)
    const named = subjectOf(task)
    const isAbout = (text: string): boolean => areAllIn(named.size > 1 ? named : words, subjectOf(text))
    const isAsked = (text: string): boolean => isAbout(text) && isOrder(text) && !isBan(text)
    const later = turns.slice(lastUpTo(turns, turn.at) + 1)
    const over = later.find(
      ({ request, answer }) => sentencesOf(request).some(isAsked) || answer?.claims.some(({ text }) => isAbout(text)),
    )
    const own = requests.filter(({ at }) => at === turn.at)
    const whole = own.find(({ kind }) => kind === 'request')
    const wish = own.find(({ kind, text }) => kind === 'wish' && areAllIn(subjectOf(text), words))
    const item = isWhole ? whole : wish
    if (item !== undefined && over === undefined) {
      Object.assign(item, { state: 'open', note: waits(until) })
      delete item.provenAt
    }
    if (whole?.state === 'said') whole.state = 'answered'
    return item !== undefined || over !== undefined ? [] : [openItem('step', `${sentence} (${waits(until)})`, turn.at)]
  })
}

const MAX_LEFT = 6

/** Of the newest requests, those that are open are next steps as a whole. */
export const NEWEST_REQUESTS = 4

/** A shorter request of long ago, such as a command of a client, is not worth a line. */
export const MIN_OLD_REQUEST_CHARACTERS = 24
const MAX_NAME_CHARACTERS = 60

/** Returns what agents have left of requests that were answered, or of older ones, as steps: nothing says later that it is done. */
function leftSteps(requests: readonly WorkItem[], proofs: WorkProofs): WorkItem[] {
  const open = new Set(requests.filter(({ kind, state }) => kind === 'wish' && state === 'open').map(({ at }) => at))
  const newest = requests.filter(({ kind }) => kind === 'request').slice(-NEWEST_REQUESTS)
  const isStep = ({ at, text }: WorkItem): boolean =>
    at < (newest[0]?.at ?? 0) || (text.length < MIN_OLD_REQUEST_CHARACTERS && at !== newest.at(-1)?.at)
  const isLeft = (item: WorkItem): boolean =>
    item.kind === 'request' &&
    !open.has(item.at) &&
    (item.state === 'answered' || (item.state === 'open' && isStep(item)))
  const steps = requests.filter(isLeft).flatMap(({ text, note = '', at, provenAt = at }) => {
    const [, said] = AGENT_NOTE.exec(note) ?? []
    if (said === undefined || isUnverified(said)) return []
    const isOver =
      isSupplied(said, provenAt, proofs.turns) ||
      (saysFailing(said) && proofs.checks.runs.passes.last(Infinity) > provenAt)
    const name = text === '' ? '' : ` (left of: ${shorten(text, MAX_NAME_CHARACTERS)})`
    return isOver ? [] : [openItem('step', said + name, provenAt)]
  })
  return steps.slice(-MAX_LEFT)
}

/** Whether the agent says that a wish is not done, or the user postpones it, and not its whole request. */
export const isLeftWish = ({ kind, state, note }: WorkItem): boolean =>
  kind === 'wish' && state === 'open' && note !== undefined

/** Whether a request was cut off or postponed. */
export const isCutOff = ({ note = '' }: WorkItem): boolean =>
  note === NOTES.interrupted || note === NOTES.failed || note.startsWith(WAITS)

/** Whether a later request, which is not left itself, is about the same thing as an item. */
export function isAskedAgain({ text, at, note }: WorkItem, requests: readonly WorkItem[]): boolean {
  const words = subjectOf(text)
  const isAgain = (request: WorkItem): boolean =>
    request.at > at &&
    !isCutOff(request) &&
    !AGENT_NOTE.test(request.note ?? '') &&
    isNamed(words, subjectOf(request.text))
  // What waits was not asked for since.
  return note?.startsWith(WAITS) !== true && requests.some(isAgain)
}
