import { checksOf, readCheck } from '../extract/checks.ts'
import { plainWords } from '../extract/same-words.ts'
import { isListed, type SessionWork } from '../extract/work-item.ts'
import { readAnswered } from '../model/embedded/answered.ts'
import { shortName } from '../model/embedded/request-name.ts'
import { STEP_LABELS } from '../model/embedded/step-labels.ts'
import { LIST_ITEM, LIST_MARK } from '../text/list-marks.ts'
import { headingName, readHeading, type Section } from '../text/sections.ts'
import { oneLine } from '../text/shorten.ts'
import { HEADINGS, NO_CONTENT, saysNothing } from '../text/summary-headings.ts'
import { saidIn } from './failure-news.ts'
import type { FailureFact } from './failures.ts'
import { isSameError } from './same-error.ts'
import { findMissingSections, insertInSection, summaryOf, type Summary } from './summary.ts'

/** The sections whose items are open. */
const OPEN = new Set(
  [HEADINGS.nextSteps, HEADINGS.inProgress, HEADINGS.pending, HEADINGS.contextForSuffix].map(headingName),
)

/**
 * Returns a summary in which no step is open that is proven to be done: a list of tasks or a ticked box says so, in the same
 * words, since the newest request ("Run the tests" is done anew for each). All other lines stay where they are, and so does a step with
 * further items below it, which may be open.
 */
export function moveDone(summary: Summary, work: SessionWork | undefined): Summary {
  const done = doneTexts(work)
  if (done.size === 0) return summary
  const moved: string[] = []
  const sections = summary.sections.map((section) =>
    OPEN.has(section.heading?.name ?? '') ? withoutDone(section, done, moved) : section,
  )
  if (moved.length === 0) return summary
  // The beginning of a turn has one section for what was done.
  const isOfTurn = findMissingSections(summary, [HEADINGS.earlyProgress]).length === 0
  const heading = isOfTurn ? HEADINGS.earlyProgress : HEADINGS.done
  return insertInSection(summaryOf(sections), heading, { lines: moved.map((text) => `- [x] ${text}`) })
}

/** Returns the words of items proven to be done since the newest request, by those words in comparable form, unless another item has them as open. */
function doneTexts(work: SessionWork | undefined): Map<string, string> {
  const items = work?.items ?? []
  const from = items.findLast(({ kind }) => kind === 'request')?.at ?? -1
  const open = new Set(items.filter(({ state }) => state !== 'done').map(({ text }) => plainWords(text)))
  return new Map(
    items
      .filter(({ state, provenAt = -1 }) => state === 'done' && provenAt > from)
      .map(({ text }): [string, string] => [plainWords(text), text])
      .filter(([words]) => words !== '' && !open.has(words)),
  )
}

/** Returns a section without the items that are done, with the text below them. */
function withoutDone(section: Section, done: ReadonlyMap<string, string>, moved: string[]): Section {
  const lines: string[] = []
  let isMoving = false
  for (const [index, line] of section.lines.entries()) {
    const isItem = LIST_ITEM.test(line)
    const hasItems = DETAIL.test(section.lines[index + 1] ?? '')
    const text = isItem && !hasItems ? done.get(plainWords(line)) : undefined
    if (isItem || line.trim() === '') isMoving = text !== undefined
    if (text !== undefined) moved.push(text)
    if (!isMoving) lines.push(line)
  }
  const isEmpty = lines.length < section.lines.length && lines.every((line) => line.trim() === '')
  return { ...section, lines: isEmpty ? [NO_CONTENT, ...lines] : lines }
}

/** As many open tasks of the newest turn are named. */
const MAX_PARTS = 10

/** Returns a summary in which no step is open that is proven to be done, and that of a model says what is open in the middle of a turn. */
export const settleWork = (summary: Summary, work: SessionWork | undefined, isExtract: boolean): Summary =>
  isExtract ? moveDone(summary, work) : nameOpenTurn(moveDone(summary, work), work)

/**
 * Returns a summary that says what is in progress and what is next, where a model leaves one of that empty though the messages end in
 * the middle of a turn: the newest request, and what lists of tasks and boxes have left since. The list of a request is no instruction
 * here: what it forbids, or quotes, would become one.
 */
function nameOpenTurn(summary: Summary, work: SessionWork | undefined): Summary {
  const newest = work?.items.findLast(({ kind }) => kind === 'request')
  if (work?.isInTurn !== true || newest === undefined || newest.text === '') return summary
  const parts = work.items.filter((item) => isListed(item) && item.state === 'open' && item.at >= newest.at)
  const lines = new Map([
    [headingName(HEADINGS.inProgress), [`- [ ] ${newest.text}`]],
    [
      headingName(HEADINGS.nextSteps),
      [
        `${STEP_LABELS.newest}: ${shortName(newest.text)}`,
        ...parts.slice(0, MAX_PARTS).map(({ text }) => `  - ${text}`),
      ],
    ],
  ])
  const sections = summary.sections.map((section) => {
    const added = lines.get(section.heading?.name ?? '')
    const isEmpty = section.lines.every((line) => line.trim() === '' || saysNothing(line.replace(LIST_MARK, '')))
    return added === undefined || !isEmpty ? section : { ...section, lines: [...added, ''] }
  })
  return summaryOf(sections)
}

/** How the embedded summarizer writes an error, and a command that has failed (`model/embedded/write-context.ts`). */
const ERROR = /^- Error(?: \([a-z ]{1,40}\))?: (.+)$/
const FAILED = /^- `(.+)`: failed \(/

/** The evidence shortens what is longer. */
const COMPARED_CHARACTERS = 60

/** An item below another one. */
const DETAIL = /^\s+- (.+)$/

/** How it writes an error of an earlier summary. */
const SEEN = /^- Error seen earlier: (.+)$/

/**
 * Returns the text of an extract without the failures that are in the section of evidence, with their reasons, and without earlier errors
 * of checks that have all passed.
 */
export function withoutRepeatedFailures(
  extract: string,
  section: string,
  failures: readonly FailureFact[] = [],
): string {
  const proven = oneLine(section)
  const isOver = (error: string): boolean => {
    const same = failures.filter((one) => one.error !== '' && isSameError(one.error, error))
    return same.length > 0 && same.every(({ hasPassed }) => hasPassed)
  }
  const isIn = (text: string): boolean => proven.includes(oneLine(text).slice(0, COMPARED_CHARACTERS).trimEnd())
  const isProven = (line: string): boolean => {
    const [, seen] = SEEN.exec(line) ?? []
    if (seen !== undefined) return isOver(seen)
    const [, what] = ERROR.exec(line) ?? FAILED.exec(line) ?? []
    if (what === undefined) return false
    // The error of a file tool begins with the tool and the path.
    return [what, what.replace(/^\S+ \S+: /, '')].filter((text) => text.trim() !== '').some(isIn)
  }
  const lines = extract.split('\n').map((line) => withSaid(withoutReason(line, isIn), failures))
  return withoutLines(withoutComplaints(lines, isIn), isProven)
}

/** How the next steps and the state name the check that has failed last. */
const LAST_CHECK = /^- Last (?:failed check: `([^`]+)`|check, [^`]{1,40}: `([^`]+)` failed$)/

/** Returns a line that names the check that has failed last, with what the user said of that. */
function withSaid(line: string, failures: readonly FailureFact[]): string {
  const [, failed, last] = LAST_CHECK.exec(line) ?? []
  const command = failed ?? last
  if (command === undefined) return line
  const nameOf = (text: string): string => checksOf(readCheck(text)).join('\n')
  const name = nameOf(command)
  const fact = failures.findLast(({ what, hasPassed }) => !hasPassed && nameOf(what) === name)
  return line + saidIn(fact?.status ?? '')
}

/** A command that has failed and did not pass later, with its reason, in the order of what was done. */
const FAILED_STEP = /^( {2}- `(.{1,300})`: failed \([^()]{1,60}\)), (.+)(?<! later\))$/

/** Returns a line of what was done without the reason of a failure that the evidence has for the same command. */
function withoutReason(line: string, isIn: (text: string) => boolean): string {
  const [, step = line, command = '', reason = ''] = FAILED_STEP.exec(line) ?? []
  return isIn(`failed: \`${command}`) && isIn(reason) ? step : line
}

/**
 * Returns the text of an extract without the answers of the user that are in the section of the user's messages too, each below its whole
 * question.
 */
export function withoutRepeatedAnswers(extract: string, userMessages: string): string {
  const said = oneLine(userMessages.replace(/^> ?/gm, ''))
  return withoutLines(extract.split('\n'), (line) => {
    const { asked, answered } = readAnswered(line) ?? {}
    const answer = answered?.slice(0, COMPARED_CHARACTERS).replace(/…$/, '')
    return answer !== undefined && said.includes(`(Answer to "${asked ?? ''}") ${answer}`)
  })
}

/** Returns the text of lines without some of them; a section that is empty then says so. */
function withoutLines(lines: readonly string[], isLeftOut: (line: string) => boolean): string {
  const kept: string[] = []
  for (const [at, line] of lines.entries()) {
    if (!isLeftOut(line)) kept.push(line)
    else if (readHeading(kept.at(-1) ?? '') !== undefined && (lines[at + 1] ?? '').trim() === '') kept.push(NO_CONTENT)
  }
  return kept.join('\n')
}

/** Returns lines without the complaints of the last check that are elsewhere, and without its name if no complaint is left. */
function withoutComplaints(lines: readonly string[], isElsewhere: (complaint: string) => boolean): string[] {
  const head = lines.findIndex((line) => line.startsWith(STEP_LABELS.complaints))
  if (head < 0) return [...lines]
  const next = lines.findIndex((line, at) => at > head && !DETAIL.test(line))
  const end = next < 0 ? lines.length : next
  const left = lines.slice(head + 1, end).filter((line) => !isElsewhere(DETAIL.exec(line)?.[1] ?? ''))
  return lines.toSpliced(head, end - head, ...(left.length === 0 ? [] : [lines[head] ?? '', ...left]))
}
