import type { Outcome } from '../../extract/outcome.ts'
import { baseName } from '../../files/paths.ts'
import { shorten } from '../../text/shorten.ts'
import type { CommandStep, CourseStep } from './course-log.ts'
import { DETAIL } from './describe-details.ts'
import type { Statement } from './ranked-lines.ts'

/** The form of the statement about the course of the work: a later summary goes on with its lines. */
export const COURSE = /^- (?:All|The newest) commands \(but looks\), edits and words of the user, in order/

export const COURSE_HEADS = {
  all: '- All commands (but looks), edits and words of the user, in order:',
  newest: '- The newest commands (but looks), edits and words of the user, in order:',
} as const

/** A request is recognized by its beginning. */
const MAX_REQUEST_CHARACTERS = 38

/** The best that a line can be worth is that of the newest one and this. */
const OUTCOME_SCORE = 0.25

/** What an earlier summary has of the course is worth less than what is new. */
const EARLIER_SCORE = -1

/**
 * Writes the course of the work as one statement: the reader sees what came before what, and what never happened.
 * @param before the statements of an earlier summary about it
 */
export function writeCourse(all: readonly CourseStep[], before: readonly string[]): Statement[] {
  const steps = chooseSteps(all)
  const earlier = before.flatMap((text) => text.split('\n').slice(1)).slice(-MAX_LINES + steps.length)
  const nameOf = namesOf(steps)
  const lines = steps.map((step) => ({ text: DETAIL + writeStep(step, nameOf), worth: worthOf(step) }))
  const details = [
    ...(steps.length < MAX_LINES ? earlier : []).map((text, at) => ({
      text,
      score: EARLIER_SCORE + at / earlier.length,
    })),
    ...lines.map(({ text, worth }, at) => ({ text, score: at / lines.length + worth })),
  ].map(({ text, score }) => ({ text, rating: { kind: 'course' as const, score } }))
  if (!hasCourse(all) && earlier.length === 0) return []
  const count = (list: readonly CourseStep[]): number => list.filter(({ kind }) => kind !== 'user').length
  const isAll = count(all) === count(steps) && before.every((text) => text.startsWith(COURSE_HEADS.all))
  return [{ head: isAll ? COURSE_HEADS.all : COURSE_HEADS.newest, rating: { kind: 'course', score: 2 }, details }]
}

/** So many lines are read; older work is in the other sections. */
const MAX_LINES = 60

/** Returns the steps that are written: the newest, without words after which nothing was done. */
function chooseSteps(all: readonly CourseStep[]): CourseStep[] {
  const steps = all.filter(({ kind }, at) => kind !== 'user' || all[at + 1]?.kind !== 'user')
  if (steps.length <= MAX_LINES) return steps
  const telling = steps.filter((step, at) => at >= steps.length - MAX_LINES / 4 || !saysNothing(step))
  return telling.slice(-MAX_LINES)
}

/** Whether nothing is known of a command but that it ran. */
const saysNothing = (step: CourseStep): boolean =>
  step.kind === 'command' && step.outcome.kind === 'unknown' && step.said === undefined

/** Fewer steps need no account of their order: the other sections have them. */
const MIN_STEPS = 8

export const hasCourse = (steps: readonly CourseStep[]): boolean => chooseSteps(steps).length >= MIN_STEPS

const worthOf = (step: CourseStep): number =>
  saysNothing(step)
    ? -OUTCOME_SCORE
    : step.kind !== 'command' || (step.outcome.kind === 'succeeded' && step.said === undefined)
      ? 0
      : OUTCOME_SCORE

function writeStep(step: CourseStep, nameOf: (path: string) => string): string {
  switch (step.kind) {
    case 'user':
      return `the user: "${shorten(step.text.replaceAll('"', "'"), MAX_REQUEST_CHARACTERS)}"`
    case 'edits':
      return `edited ${describeEdits(step.files, nameOf)}`
    case 'command':
      return writeCommandStep(step)
  }
}

/** Files beyond these are counted. */
const MAX_EDITED_FILES = 12

function describeEdits(files: ReadonlyMap<string, number>, nameOf: (path: string) => string): string {
  const shown = [...files].slice(0, MAX_EDITED_FILES)
  const more = files.size > shown.length ? [`${files.size - shown.length} more`] : []
  return [...shown.map(([path, count]) => nameOf(path) + (count === 1 ? '' : ` ${count} times`)), ...more].join(', ')
}

function writeCommandStep({ command, outcome, said: whole, times, isPassed, isAsBefore }: CommandStep): string {
  const said = isAsBefore === true ? 'as before' : whole
  // A number of tests that is the same as before is shorter than what is left out for having been said.
  const isBrief =
    outcome.kind === 'failed' || (outcome.kind === 'succeeded' && (said?.length ?? 0) < MAX_BRIEF_CHARACTERS)
  const printed = said === undefined ? [] : [isBrief ? said : `printed: ${said}`]
  const facts = [...endOf(outcome), ...printed].join(', ')
  const notes = [...(times > 1 ? [`${times} times`] : []), ...(isPassed === true ? ['passed later'] : [])].join('; ')
  return `\`${command}\`${facts === '' ? '' : `: ${facts}`}${notes === '' ? '' : ` (${notes})`}`
}

const MAX_BRIEF_CHARACTERS = 38

const endOf = ({ kind, status = 'error' }: Outcome): string[] =>
  kind === 'unknown' ? [] : [kind === 'succeeded' ? 'ok' : `failed (${status})`]

/** Returns a function that names a file of the steps: by its last part, or by two where several files have the same one. */
function namesOf(steps: readonly CourseStep[]): (path: string) => string {
  const paths = new Set(steps.flatMap((step) => (step.kind === 'edits' ? [...step.files.keys()] : [])))
  const counts = new Map<string, number>()
  for (const path of paths) counts.set(baseName(path), (counts.get(baseName(path)) ?? 0) + 1)
  return (path) => (counts.get(baseName(path)) === 1 ? baseName(path) : path.split('/').slice(-2).join('/'))
}
