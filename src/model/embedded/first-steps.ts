import { isCheck } from '../../extract/checks.ts'
import { isBan } from '../../extract/bans.ts'
import { isCutOff, MIN_OLD_REQUEST_CHARACTERS, NEWEST_REQUESTS } from '../../extract/left-work.ts'
import { writePassed } from '../../extract/passed-parts.ts'
import { isListed, type WorkItem } from '../../extract/work-item.ts'
import { questionInShort } from '../../extract/user-text.ts'
import { inlineCode, oneLine, shorten } from '../../text/shorten.ts'
import { DETAIL, shortenPath } from './describe-details.ts'
import type { SessionFacts } from './facts.ts'
import { writeOpenParts } from './open-parts.ts'
import { quotable } from './quotes.ts'
import type { Statement } from './ranked-lines.ts'
import { nameOfRequest } from './request-name.ts'
import type { Stand } from './stand-log.ts'
import { GOES_ON_BELOW, STEP_FOR, STEP_LABELS } from './step-labels.ts'
import { COMMAND_OF_CLIENT, writeItemState } from './turn-lines.ts'
import { writeWishes } from './wish-lines.ts'

const MAX = { question: 140, asked: 500, answer: 300 }

/** A step, and the message that shows it: an index. */
export interface Step {
  line: string
  at: number
  /** What belongs to it. */
  reasons?: readonly string[]
}

/**
 * Returns what the session shows to be done for the newest request, the most concrete first: what failed last, what the agent was at, or
 * the task of a list.
 */
export function findFirstSteps(facts: SessionFacts, request: WorkItem): Step[] {
  const words = facts.work.isInTurn || isCutOff(request) ? (facts.stand.goesOn ?? '') : ''
  const said = words === '' ? [] : [{ line: `${STEP_LABELS.stand}"${quotable(words)}"`, at: facts.stand.saidAt ?? -1 }]
  const failing = failingSteps(facts).filter(({ at }) => at > request.at)
  // What was said after a failure is about it; a commit, an edit or a command that failed says nothing of older failures.
  const found = [...failing, ...said].sort((a, b) => b.at - a.at)
  if (found.length > 0) return found
  const task = taskOf(facts.work.items, request)
  return task === undefined ? [] : [{ line: `${STEP_LABELS.task}${task.text}`, at: task.at }]
}

/** Returns the task at which the agent is, or the first open one, of a list that was kept in the turn of a request. */
function taskOf(items: readonly WorkItem[], { at: from }: WorkItem): WorkItem | undefined {
  const kept = new Set(
    items.filter((item) => isListed(item) && Math.max(item.at, item.provenAt ?? -1) > from).map(({ source }) => source),
  )
  const open = items.filter((item) => isListed(item) && item.state === 'open' && kept.has(item.source))
  return open.find(({ word = '' }) => /progress|active|doing/i.test(word)) ?? open[0]
}

/** Returns what was done last for a request of which nothing says what is next: the last edit, and the check that has not run since. */
function writeLastChange({ stand: { lastChange }, commands }: SessionFacts, request: WorkItem): string {
  if (lastChange === undefined || lastChange.at < request.at) return ''
  const checks = commands.filter(({ command }) => isCheck(command))
  const last = checks.some(({ laterEdits = 0 }) => laterEdits === 0) ? undefined : checks.at(-1)
  const check = last === undefined ? '' : `; ${inlineCode(last.command)} has not run since`
  return ` (edited last: ${inlineCode(shortenPath(lastChange.path))}${check})`
}

export const writeStep = ({ line, reasons = [] }: Step, note = ''): Statement => ({
  head: [line + note, ...reasons.map((reason) => DETAIL + reason)].join('\n'),
})

/**
 * Returns what is left of the newest request, or of what the user answered since: its open wishes, or all of it. What the session shows
 * more concretely stands before it, with the name of the request.
 */
export function writeNewest(request: WorkItem, facts: SessionFacts, [first, ...others]: readonly Step[]): Statement[] {
  const { turns, work, stand } = facts
  const { asked, answer } = stand
  const words = request.text || turns.find(({ standing }) => standing?.at === request.at)?.request || ''
  const isWish = ({ kind, at, isPart }: WorkItem): boolean =>
    (kind === 'wish' && at === request.at) || (isPart === true && request.text === '')
  const wishes = work.items.filter((item) => item.state === 'open' && isWish(item) && !isBan(item.text))
  const lines = writeWishes(wishes).map((line) => DETAIL + line)
  const question =
    asked === undefined
      ? []
      : [{ head: `${STEP_LABELS.asked}"${questionInShort(quotable(oneLine(asked)), MAX.asked)}"` }]
  // The list below says what is open of it.
  const name = writeOpenParts(work.items, request) === '' ? words : nameOfRequest(words)
  const text = lines.length > 0 ? '' : `: ${name}`
  // The messages that stay may have a newer one.
  const label = work.kept === 'request' ? STEP_LABELS.open : STEP_LABELS.newest
  const rest = work.kept === 'rest' ? GOES_ON_BELOW : ''
  const isFirst = answer === undefined && first === undefined
  const last = isFirst && lines.length === 0 ? writeLastChange(facts, request) : ''
  const state = writeItemState(request) || last + (isFirst ? rest : '')
  const head = `${label}${text}${state}${lines.length > 0 ? ':' : ''}`
  const isEmpty = lines.length === 0 && (words === '' || first !== undefined)
  return [
    ...(answer === undefined ? [] : [{ head: writeAnswer(answer) + rest }]),
    ...(first === undefined ? [] : [writeStep(first, writeFrame(words, rest)), ...others.map((one) => writeStep(one))]),
    ...(isEmpty ? [] : [{ head: [head, ...lines].join('\n') }]),
    ...question,
  ]
}

const writeFrame = (words: string, rest: string): string =>
  words === '' ? rest : `${STEP_FOR}${nameOfRequest(words)})${rest}`

const writeAnswer = ({ question, answer }: NonNullable<Stand['answer']>): string => {
  const asked = question === '' ? '' : ` (the agent asked: "${questionInShort(question, MAX.question)}")`
  return `${STEP_LABELS.answer}"${shorten(answer, MAX.answer)}"${asked}`
}

/** Returns what failed last, in the newest turn or the one before it: a check, a commit that was refused, an edit. */
export function failingSteps({ work, stand }: SessionFacts): Step[] {
  const { items, failing, following } = work
  if (following !== undefined) return []
  const requests = items.filter(({ kind }) => kind === 'request')
  const since = requests.at(-2)?.at ?? 0
  const { refused, complaints, failedCommand, failedEdit } = stand
  const check = failing.at(-1)
  const steps = [
    check && writeCheck(check, stand),
    complaints && complaints.at !== check?.at && writeComplaints(STEP_LABELS.complaints, complaints),
    refused && writeRefused(refused),
    failedCommand && writeComplaints(STEP_LABELS.command, failedCommand),
    failedEdit && {
      line: `${STEP_LABELS.edit}${inlineCode(shortenPath(failedEdit.path))}: ${failedEdit.reason}`,
      at: failedEdit.at,
    },
  ]
  return steps.flatMap((step) => (step === undefined || step === false || step.at < since ? [] : [step]))
}

function writeCheck({ command, tests, passed, at }: SessionFacts['work']['failing'][number], stand: Stand): Step {
  const { lastChange, complaints } = stand
  const isEdited = lastChange !== undefined && lastChange.at > at
  const since = isEdited ? ` (before the last edit of ${inlineCode(shortenPath(lastChange.path))})` : ''
  const reasons = tests === undefined && complaints?.at === at ? complaints.reasons : []
  const failed = tests === undefined ? '' : `: ${tests}`
  return { line: `${STEP_LABELS.check}\`${command}\`${failed}${since}${writePassed(passed)}`, at, reasons }
}

/** The reasons belong to the command, and always stay with it. */
const writeComplaints = (label: string, { command, reasons, at }: NonNullable<Stand['complaints']>): Step => ({
  line: `${label}\`${command}\``,
  at,
  reasons,
})

/** Returns what stands in the way of a commit. */
const writeRefused = ({ message, command, reasons, at }: NonNullable<Stand['refused']>): Step => ({
  line: STEP_LABELS.commit + (message === undefined ? `\`${command}\`` : message.subject),
  at,
  reasons,
})

/** Returns the last open request before one that only asks to go on. */
export const requestBefore = (items: readonly WorkItem[], newest: WorkItem): WorkItem | undefined =>
  items
    .filter(({ kind, at }) => kind === 'request' && at < newest.at)
    .slice(-NEWEST_REQUESTS)
    .findLast(({ state, text }) => state === 'open' && text !== '')

/** Returns the requests at which the agent was at work, or which it had asked about, when the user wrote the newest one: it may only add to them. */
export function writeUnfinished({ work, stand }: SessionFacts): Statement[] {
  const before = work.items.filter(({ kind }) => kind === 'request').slice(-NEWEST_REQUESTS, -1)
  const ended = before.findLastIndex(({ state, note }) => state !== 'open' || note !== undefined)
  return before
    .slice(ended + 1)
    .filter(({ text }) => text.length >= MIN_OLD_REQUEST_CHARACTERS && !COMMAND_OF_CLIENT.test(text))
    .map((item, index, all) => {
      // The user's words after the last of them are the newest request.
      const isLast = index === all.length - 1
      const label = isLast && stand.asked !== undefined ? STEP_LABELS.questioned : STEP_LABELS.before
      return { head: label + item.text + (isLast ? '' : writeItemState(item)) }
    })
}
