import {
  chooseSteps,
  COURSE_HEADS,
  describeSteps,
  isWholeCourse,
  MAX_STEPS,
  MIN_STEPS,
  onlyRan,
  type CourseStep,
} from '../../extract/describe-course.ts'
import { DETAIL } from './describe-details.ts'
import { RANK, type Rating, type Statement } from './ranked-lines.ts'

/** The best that a line can be worth is that of the newest one and this. */
const OUTCOME_SCORE = 0.25

/** What an earlier summary has of the course is worth less than what is new. */
const EARLIER_SCORE = -1

/**
 * Returns the steps that the course has: none if they are too few, and no earlier summary has any.
 * @param before the statements of an earlier summary about the course
 */
export function stepsOfCourse(all: readonly CourseStep[], before: readonly string[]): CourseStep[] {
  const steps = chooseSteps(all)
  return steps.length >= MIN_STEPS || before.length > 0 ? steps : []
}

/**
 * Writes the course of the work as one statement: the reader sees what came before what, and what never happened.
 * @param all the steps of the conversation, of which `steps` are written
 * @param before the statements of an earlier summary about it
 */
export function writeCourse(
  all: readonly CourseStep[],
  steps: readonly CourseStep[],
  before: readonly string[],
): Statement[] {
  const earlier = before.flatMap((text) => text.split('\n').slice(1)).slice(-MAX_STEPS + steps.length)
  const lines = describeSteps(steps)
  const details = [
    ...(steps.length < MAX_STEPS ? earlier : []).map((text, at) => ({
      text,
      score: EARLIER_SCORE + at / earlier.length,
      isEarlier: true,
    })),
    ...steps.map((step, at) => ({
      text: DETAIL + (lines[at] ?? ''),
      score: at / steps.length + worthOf(step),
      isEarlier: false,
    })),
  ].map(({ score, ...line }, at, { length }) => ({
    ...line,
    rating: { kind: 'course' as const, score, ...rankOf(length - 1 - at) },
  }))
  if (details.length === 0) return []
  const isAll = isWholeCourse(all, steps) && before.every((text) => text.startsWith(COURSE_HEADS.all))
  const head = isAll ? COURSE_HEADS.all : COURSE_HEADS.newest
  return [{ head, rating: { kind: 'course', score: 2, rank: RANK.success }, details }]
}

/** So many of the newest steps come before all details. */
const ESSENTIAL_STEPS = 8

/** @param age how many steps are newer */
const rankOf = (age: number): Pick<Rating, 'rank'> =>
  age < ESSENTIAL_STEPS ? { rank: RANK.success + (age + 1) / 1000 } : {}

const worthOf = (step: CourseStep): number =>
  onlyRan(step)
    ? -OUTCOME_SCORE
    : step.kind !== 'command' || (step.outcome.kind === 'succeeded' && step.said === undefined)
      ? 0
      : OUTCOME_SCORE
