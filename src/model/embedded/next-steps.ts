import { SINCE_THEN } from '../../extract/find-work.ts'
import {
  isAskedAgain,
  isCutOff,
  isLeftWish,
  MIN_OLD_REQUEST_CHARACTERS,
  NEWEST_REQUESTS,
} from '../../extract/left-work.ts'
import { isUnnamed } from '../../extract/unnamed-wishes.ts'
import { isListed, type WorkItem } from '../../extract/work-item.ts'
import { ANSWERED_BELOW } from '../../extract/work-requests.ts'
import { QUESTION_AT_END } from '../../extract/user-text.ts'
import { goesOnWithWork } from '../../extract/go-on.ts'
import { issueOf, namesOf, plainWords } from '../../extract/same-words.ts'
import { lastOfEach } from '../../text/last-of-each.ts'
import { DETAIL } from './describe-details.ts'
import { earlierStep, keptCutOff } from './earlier-work.ts'
import { isClosed, writeClosing } from './closing-words.ts'
import {
  failingSteps,
  findFirstSteps,
  requestBefore,
  writeNewest,
  writeStep,
  writeUnfinished,
  type Step,
} from './first-steps.ts'
import { writeLeft } from './left-lines.ts'
import { isStep, MAY_BE_OVER, STEP_LABELS } from './step-labels.ts'
import type { SessionFacts } from './facts.ts'
import { describePlans, isPlan, writePlanned } from './plan-lines.ts'
import { writePostponed } from './postponed-lines.ts'
import { carry, type Statement } from './ranked-lines.ts'
import { writeItemState, writePassedTurn } from './turn-lines.ts'
import { writeWishes } from './wish-lines.ts'
import { LAST_CALL } from './write-context.ts'

/** How many of the newest steps of each kind are written. */
const MAX = { steps: 10, older: 12 }

/**
 * Returns the next steps: what the newest request still lacks comes first. What is done is not among them, and what nothing
 * confirms since a newer request was answered stands below a label.
 * @param before the next steps and the open work of an earlier summary
 */
export function writeNextSteps(facts: SessionFacts, before: readonly string[]): Statement[] {
  const { work } = facts
  const newest = newestRequest(work.items)
  const isOpen = newest?.state === 'open' && work.following === undefined
  const isAnswered = newest !== undefined && work.following === undefined && isClosed(newest, facts)
  const resumed = isOpen && goesOnWithWork(newest.text) ? requestBefore(work.items, newest) : undefined
  const first = isOpen && !isAnswered && work.kept !== 'request' ? findFirstSteps(facts, newest) : []
  const lines = [
    ...(resumed === undefined ? [] : [{ head: STEP_LABELS.before + resumed.text + writeItemState(resumed) }]),
    ...(isOpen && !isAnswered ? writeNewest(newest, facts, first) : []),
    ...(isOpen && resumed === undefined ? writeUnfinished(facts) : []),
    ...writeCurrent(facts, before, { newest, first }),
    ...writeOlder(facts, newest, { resumed, before }),
  ]
  if (work.following !== undefined) return lines
  const isAnsweredBelow = newest?.note === ANSWERED_BELOW && lines.length > 0
  const asksBefore = isOpen || QUESTION_AT_END.test(facts.stand.closing ?? '')
  return [
    ...(work.kept === 'request' ? [{ head: STEP_LABELS.below }] : []),
    ...(isAnsweredBelow ? [{ head: STEP_LABELS.answered }] : []),
    ...(isAnswered && (work.kept !== 'request' || asksBefore) ? [writeClosing(facts, newest)] : []),
    ...lines,
    ...writeLeft(work.items, newest, before),
    ...writePostponed(work.postponed),
  ]
}

/** Returns the open items of lists, what failed last, and the steps that the agent or an earlier summary names. */
function writeCurrent(
  facts: SessionFacts,
  before: readonly string[],
  { newest, first }: { newest: WorkItem | undefined; first: readonly Step[] },
): Statement[] {
  const { items } = facts.work
  const named = new Set(first.map(({ line }) => line))
  const current = items.filter((item) => item.state === 'open' && !item.isOlder && !isPassed(item, newest))
  const isInList = stepsInLists(items)
  const steps = current.filter((item) => item.kind === 'step' && item.at >= 0 && !isInList(item))
  return [
    ...describePlans(current.filter(isListed)),
    ...failingSteps(facts).flatMap((step) => (named.has(step.line) ? [] : writeStep(step))),
    ...steps.slice(-MAX.steps).map(({ text }) => ({ head: `- ${text}` })),
    ...(steps.length > 0 ? [] : carry(before.filter((text) => isCurrent(text, items, isInList)).map(withMark))),
  ]
}

/** Whether the agent has named a step before the newest request, which is more than a word to go on. */
const isPassed = ({ kind, at }: WorkItem, newest: WorkItem | undefined): boolean =>
  kind === 'step' && at >= 0 && newest !== undefined && at < newest.at && newest.text.length >= MIN_NEW_CHARACTERS

const MIN_NEW_CHARACTERS = 80

export const newestRequest = (items: readonly WorkItem[]): WorkItem | undefined =>
  items.findLast(({ kind }) => kind === 'request')

/** A step without the mark of an item would belong to the item before it. */
const withMark = (statement: string): string =>
  /^(?:[-*+]|\d{1,3}[.)]|#{1,6})\s/.test(statement) ? statement : `- ${statement}`

/** What only repeats the request. */
const REQUEST_AGAIN =
  /^(?:[-*] )?(?:the )?user['’]s (?:original|most recent|latest|last|explicit)? ?(?:request|message)\b/i

/** Whether a step of an earlier summary is still one. Labels and lists of tasks are written anew. */
function isCurrent(statement: string, items: readonly WorkItem[], isInList: (item: WorkItem) => boolean): boolean {
  if (LAST_CALL.test(statement) || isPlan(statement) || REQUEST_AGAIN.test(statement)) return false
  if (isStep(statement)) return false
  const item = earlierStep(statement, items)
  return item === undefined || (item.state === 'open' && !item.isOlder && !isInList(item))
}

/** Returns whether a step is an open task of a list, or about its issue: the list has it. */
export function stepsInLists(items: readonly WorkItem[]): (step: WorkItem) => boolean {
  const open = items.filter((item) => isListed(item) && item.state === 'open')
  const names = new Set(open.flatMap(({ id, text }) => [...(id === undefined ? [] : [id]), ...namesOf(text)]))
  return ({ kind, text }) => kind === 'step' && [...namesOf(text), issueOf(text) ?? ''].some((name) => names.has(name))
}

/** Returns what was planned or begun before the newest request that was answered, and is not known to be done. */
function writeOlder(
  { turns, work: { items } }: SessionFacts,
  newest: WorkItem | undefined,
  { resumed, before }: { resumed: WorkItem | undefined; before: readonly string[] },
): Statement[] {
  const requests = passedRequests(items)
  const isRequest = ({ kind, at }: WorkItem): boolean => kind === 'request' && requests.has(at)
  const isInList = stepsInLists(items)
  const asked = items.filter(({ kind }) => kind === 'request')
  const isWish = (item: WorkItem): boolean =>
    isLeftWish(item) &&
    (item.at !== newest?.at || newest.note === ANSWERED_BELOW) &&
    (isUnnamed(item) || !isAskedAgain(item, asked))
  const left = items.filter(
    (item) =>
      (isRequest(item) && item !== resumed) ||
      isWish(item) ||
      ((isLeft(item) || (isPassed(item, newest) && !isWorkedOn(item))) && !isInList(item)),
  )
  const shown = lastOfEach(left, ({ text }) => plainWords(text)).slice(-MAX.older)
  const wishes = writeWishes(shown)
  const lines = shown.map((item, index) => {
    const turn = isRequest(item) ? turns.find(({ standing }) => standing?.at === item.at) : undefined
    if (turn !== undefined) return writePassedTurn(turn)
    return isListed(item) ? writePlanned(item) : `${DETAIL}${wishes[index] ?? ''}`
  })
  const all = [...keptCutOff(before, items), ...lines]
  return all.length === 0 ? [] : [{ head: [STEP_LABELS.older + MAY_BE_OVER, ...all].join('\n') }]
}

const isWorkedOn = ({ note }: WorkItem): boolean => note?.startsWith(SINCE_THEN) === true

function isLeft(item: WorkItem): boolean {
  const { kind, state, isOlder, isRequest, source } = item
  if (state === 'unknown') return source !== undefined
  const isStep = kind === 'step' && isRequest !== true && !isWorkedOn(item)
  return state === 'open' && isOlder && (isStep || kind === 'task' || kind === 'box')
}

/**
 * Returns the messages of the requests that are open though a later one was answered: the newest ones, and those that were cut off or
 * postponed, unless the user has asked for them again. Of others, most were replaced by the next one without saying so. Where only
 * wishes of a request are open, or the agent says what is missing of an older one, these are next steps.
 */
export function passedRequests(items: readonly WorkItem[]): ReadonlySet<number> {
  const requests = items.filter(({ kind }) => kind === 'request')
  const inParts = new Set(items.filter(isLeftWish).map(({ at }) => at))
  const newestAt = requests.at(-NEWEST_REQUESTS)?.at ?? -1
  const passed = requests
    .slice(0, -1)
    .filter(({ state, isOlder, text }) => state === 'open' && isOlder && text.length >= MIN_OLD_REQUEST_CHARACTERS)
    .filter(
      (item) => !inParts.has(item.at) && (item.at >= newestAt || (isCutOff(item) && !isAskedAgain(item, requests))),
    )
  return new Set(passed.slice(-MAX.older).map(({ at }) => at))
}
