import type { SessionWork, WorkItem } from '../../extract/work-item.ts'
import { plainWords } from '../../extract/same-words.ts'
import { lastOfEach } from '../../text/last-of-each.ts'
import { shorten } from '../../text/shorten.ts'
import { DETAIL } from './describe-details.ts'
import { STEP_LABELS, stepOf } from './earlier-work.ts'
import type { SessionFacts } from './facts.ts'
import { describePlans, isPlan, writePlanned } from './plan-lines.ts'
import { carry, type Statement } from './ranked-lines.ts'
import { writeItemState } from './turn-lines.ts'
import { LAST_CALL } from './write-context.ts'

/** How many of the newest steps of each kind are written. */
const MAX = { steps: 10, older: 8, characters: 160 }

/** A shorter request of long ago, such as a command of a client, is not worth a line. */
const MIN_OLD_REQUEST_CHARACTERS = 24

/**
 * Returns the next steps: what the newest request still lacks comes first. What is done is not among them, and what nothing
 * confirms since a newer request was answered stands below a label.
 * @param before the next steps and the open work of an earlier summary
 */
export function writeNextSteps(facts: SessionFacts, before: readonly string[]): Statement[] {
  const { work, intentions } = facts
  const newest = newestRequest(work.items)
  const isNewestOpen = newest?.state === 'open' && work.following === undefined
  const current = work.items.filter(({ state, isOlder }) => state === 'open' && !isOlder)
  const steps = current.filter(({ kind, at }) => kind === 'step' && at >= 0)
  const texts = steps.map(({ text }) => `- ${text}`)
  return [
    ...(isNewestOpen ? writeNewest(newest, work.items) : []),
    ...describePlans(current.filter(isListed)),
    ...writeFailing(work),
    ...[...texts, ...(isNewestOpen ? intentions.map((text) => `- ${text}`) : [])]
      .slice(-MAX.steps)
      .map((head) => ({ head })),
    ...(steps.length > 0 ? [] : carry(before.filter((statement) => isCurrent(statement, work.items)))),
    ...writeOlder(work.items, newest),
  ]
}

/** Returns the check that failed last, in the newest turn or the one before it. */
function writeFailing({ items, failing, following }: SessionWork): Statement[] {
  const requests = items.filter(({ kind }) => kind === 'request')
  const last = failing.findLast(({ at }) => at >= (requests.at(-2)?.at ?? 0))
  return last === undefined || following !== undefined ? [] : [{ head: `${STEP_LABELS.check}\`${last.command}\`` }]
}

export const isListed = ({ kind }: WorkItem): boolean => kind === 'task' || kind === 'box'

export const newestRequest = (items: readonly WorkItem[]): WorkItem | undefined =>
  items.findLast(({ kind }) => kind === 'request')

/** Returns what is left of the newest request: its open wishes, or all of it. */
function writeNewest(request: WorkItem, items: readonly WorkItem[]): Statement[] {
  const wishes = items.filter(({ kind, at, state }) => kind === 'wish' && at === request.at && state === 'open')
  const lines = wishes.map(({ text }) => `${DETAIL}${text}`)
  if (lines.length === 0 && request.text === '') return []
  const text = lines.length > 0 ? '' : `: ${request.text}`
  const head = `${STEP_LABELS.newest}${text}${writeItemState(request)}${lines.length > 0 ? ':' : ''}`
  return [{ head: [head, ...lines].join('\n') }]
}

/** Whether a step of an earlier summary is still one. Labels and lists of tasks are written anew. */
function isCurrent(statement: string, items: readonly WorkItem[]): boolean {
  if (LAST_CALL.test(statement) || isPlan(statement)) return false
  if (Object.values(STEP_LABELS).some((label) => statement.startsWith(label))) return false
  const item = earlierStep(statement, items)
  return item === undefined || (item.state === 'open' && !item.isOlder)
}

/** Returns the item of a statement of an earlier summary. */
export function earlierStep(statement: string, items: readonly WorkItem[]): WorkItem | undefined {
  const text = stepOf(statement)
  return items.find((item) => item.kind === 'step' && item.at < 0 && item.text === text)
}

/** Returns what was planned or begun before the newest request that was answered, and is not known to be done. */
function writeOlder(items: readonly WorkItem[], newest: WorkItem | undefined): Statement[] {
  const left = items.filter((item) => item !== newest && isLeft(item))
  const lines = lastOfEach(left, ({ text }) => plainWords(text))
    .slice(-MAX.older)
    .map((item) =>
      isListed(item) ? writePlanned(item) : `${DETAIL}${shorten(item.text, MAX.characters)}${writeItemState(item)}`,
    )
  return lines.length === 0 ? [] : [{ head: [STEP_LABELS.older, ...lines].join('\n') }]
}

function isLeft({ kind, state, isOlder, text, source }: WorkItem): boolean {
  if (state === 'unknown') return source !== undefined
  if (state !== 'open' || !isOlder) return false
  return kind !== 'wish' && (kind !== 'request' || text.length >= MIN_OLD_REQUEST_CHARACTERS)
}
