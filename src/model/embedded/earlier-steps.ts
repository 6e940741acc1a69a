import { SINCE_THEN } from '../../extract/find-work.ts'
import { doneAt, doneWords, plainWords } from '../../extract/same-words.ts'
import type { WorkItem } from '../../extract/work-item.ts'
import { lastOfEach } from '../../text/last-of-each.ts'
import { shorten } from '../../text/shorten.ts'
import { DETAIL } from './describe-details.ts'
import { earlierStep, keptCutOff, OUTCOME_MARK, settle, stepOf } from './earlier-work.ts'
import type { SessionFacts } from './facts.ts'
import { keepFocused, type Choice } from './focus.ts'
import { stepsInLists } from './next-steps.ts'
import { carry, type Statement } from './ranked-lines.ts'
import { STEP_LABELS } from './step-labels.ts'
import { writeItemState } from './turn-lines.ts'

/** Whether a statement of an earlier summary is still about open work. */
export const isStillOpen = (item: WorkItem | undefined): boolean =>
  item === undefined || (item.state === 'open' && !item.isOlder)

/**
 * Returns a line for each step of an earlier summary that is done, said to be done, or not wanted any more; and all that it says of
 * each request that is no longer open work.
 */
export function writeDoneSteps({ work, commands }: SessionFacts, planned: readonly string[]): Statement[] {
  const seen = new Set<WorkItem>()
  const ids = work.items.flatMap(({ kind, state, id }) => (kind === 'task' && state === 'done' && id ? [id] : []))
  // The list of the tracker has it.
  const namesTask = ({ state, source, text }: WorkItem): boolean =>
    state === 'done' && source !== undefined && ids.some((id) => text.includes(id))
  const kept = new Set(keptCutOff(planned, work.items).map((line) => line.trim()))
  return planned.flatMap(splitPlanned).flatMap((statement): Statement[] => {
    const item = earlierStep(statement, work.items)
    if (item === undefined || item.isPart === true || seen.has(item)) return []
    seen.add(item)
    if (item.isRequest === true)
      return isStillOpen(item) || kept.has(statement) ? [] : carry([withPassed(settle(statement, item), commands)])
    if (item.state === 'open' || namesTask(item)) return []
    return [{ head: `${item.state === 'replaced' ? '-' : '- [x]'} ${item.text}${writeItemState(item)}` }]
  })
}

/** The kind of change with which the message of a commit may begin. */
const CHANGE_KIND = /^(- \[x\] )[a-z]{2,12}(?:\([^()]{1,40}\))?!?: /

/** Returns lines of what was done, each item once, in its newest line; one that a list has too only if its line says more. */
export function onePerItem(lines: readonly Statement[], { items }: SessionFacts['work']): Statement[] {
  const listed = doneWords(items)
  const textOf = ({ head }: Statement): string => stepOf(head.replace(CHANGE_KIND, '$1'))
  const isItem = ({ head }: Statement): boolean => head.startsWith('- [x] ') && !head.includes(OUTCOME_MARK)
  return lastOfEach(lines, (line) => (isItem(line) ? plainWords(textOf(line)) : line.head)).filter(
    (line) => (line.details ?? []).length > 0 || !isItem(line) || doneAt(textOf(line), listed) === undefined,
  )
}

/** How many of the newest commits have a line of their own: of older ones, the log of the repository has all that there is to know. */
const MAX_COMMITS = 10

const COMMIT = / \((?:said to be done, )?in commit [0-9a-f]{7,40}\)$/

/** Returns lines of what was done with the newest commits, and those with words of the focus. */
export function withNewestCommits(lines: readonly Statement[], wanted: Choice<Statement>): Statement[] {
  const shown = new Set(
    keepFocused(
      lines.filter(({ head }) => COMMIT.test(head)),
      MAX_COMMITS,
      wanted,
    ),
  )
  return lines.filter((line) => !COMMIT.test(line.head) || shown.has(line))
}

/** What a line says of a check that failed after the work on its request. */
const FAILED = / \(([^()]{1,200}) failed( after that)?(?=(?:; [^()]{1,400})?\)$)/m

/** Returns a statement that says of the check that failed that it has passed since, if it has. */
function withPassed(statement: string, commands: SessionFacts['commands']): string {
  const [, check] = FAILED.exec(statement) ?? []
  const hasPassed = commands.some(({ command, outcome }) => outcome.kind === 'succeeded' && command === check)
  return hasPassed ? statement.replace(FAILED, ' ($1 failed$2, and passed later') : statement
}

/** Returns the lines of what was planned earlier, each as a statement. */
const splitPlanned = (statement: string): string[] =>
  statement.startsWith(STEP_LABELS.older)
    ? statement
        .split('\n')
        .slice(1)
        .map((line) => line.trim())
    : [statement]

/** How many of the steps that were worked on are written. */
const MAX_WORKED = 10
const MAX_WORKED_CHARACTERS = 160
const WORKED_SCORE = 0.6

export const isWorked = (statement: string): boolean => statement.startsWith(STEP_LABELS.worked)

/**
 * Returns the steps that were worked on since they were named: they may be done, so they are no next steps. Where the agent has
 * reported on that work, they are over, and so are those of an earlier summary once it has reported on anything.
 */
export function writeWorked({ items, commits }: SessionFacts['work'], done: readonly string[]): Statement[] {
  const hasReported =
    commits.length > 0 ||
    items.some(({ state, provenAt = -1 }) => (state === 'said' || state === 'done') && provenAt >= 0)
  const before = hasReported ? [] : done.filter(isWorked).flatMap((statement) => statement.split('\n').slice(1))
  const isInList = stepsInLists(items)
  const now = items.filter((item) => {
    const { kind, state, note, isReported } = item
    const isOpen = kind === 'step' && state === 'open'
    const isNamed = isOpen && isReported !== true && note?.startsWith(SINCE_THEN) === true
    return isNamed && !isInList(item)
  })
  const lines = [
    ...before,
    ...now.map((item) => `${DETAIL}${shorten(item.text, MAX_WORKED_CHARACTERS)}${writeItemState(item)}`),
  ]
  const newest = lastOfEach(lines, (line) => plainWords(stepOf(line.trim()))).slice(-MAX_WORKED)
  if (newest.length === 0) return []
  const rating = { kind: 'carried', score: WORKED_SCORE } as const
  return [
    {
      head: STEP_LABELS.worked,
      rating: { ...rating, score: WORKED_SCORE + 0.1 },
      details: newest.map((text) => ({ text, rating })),
    },
  ]
}
