import type { CourseStep } from '../extract/course-step.ts'
import {
  chooseSteps,
  COURSE,
  COURSE_HEADS,
  describeSteps,
  isWholeCourse,
  MIN_STEPS,
} from '../extract/describe-course.ts'
import { findMilestones } from '../extract/milestones.ts'
import { HEADINGS } from '../text/summary-headings.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import { escapeOwnTags } from './evidence-section.ts'

/** The list has room for some 45 steps; what was done before them, for some 20. */
const MAX_COURSE_TOKENS = 1200
const MAX_EARLIER_TOKENS = 500

const STEP = '  - '

/**
 * Adds what was done, in order, to the end of a section of evidence: the newest steps that fit into the room that the other
 * facts leave, and of those before them what ended a piece of work. A list of very few steps says little about their order, and
 * is left out.
 * @param section an empty string where there are no other facts
 */
export function addCourse(section: string, course: readonly CourseStep[], maxTokens: number): string {
  const before = section === '' ? HEADINGS.evidence : section
  const room = maxTokens - estimateTextTokens(`${before}\n${COURSE_HEADS.newest}`)
  const steps = chooseSteps(course)
  const lines = linesOf(steps)
  const newest = newestThatFit(lines, Math.min(MAX_COURSE_TOKENS, room))
  if (newest.length < MIN_STEPS) return section
  if (isWholeCourse(course, steps.slice(-newest.length))) return [before, COURSE_HEADS.all, ...newest].join('\n')
  const parts = withEarlier(lines, { course, steps, room }) ?? [COURSE_HEADS.newest, ...newest]
  return [before, ...parts].join('\n')
}

interface Course {
  course: readonly CourseStep[]
  /** The steps that are written. */
  steps: readonly CourseStep[]
  room: number
}

/** Returns the newest steps, and what ended earlier work, which may take a third of the room; undefined if there is no such work. */
function withEarlier(lines: readonly string[], { course, steps, room }: Course): string[] | undefined {
  const newest = newestThatFit(lines, Math.min(MAX_COURSE_TOKENS, room * (2 / 3)))
  const first = steps.at(-newest.length)
  const milestones = findMilestones(course.slice(0, first === undefined ? 0 : course.indexOf(first)))
  const earlierRoom = Math.min(MAX_EARLIER_TOKENS, room / 3) - estimateTextTokens(`\n${COURSE_HEADS.earlier}`)
  const earlier = newestThatFit(linesOf(milestones), earlierRoom)
  return earlier.length === 0 ? undefined : [COURSE_HEADS.newest, ...newest, COURSE_HEADS.earlier, ...earlier]
}

const linesOf = (steps: readonly CourseStep[]): string[] =>
  describeSteps(steps).map((text) => STEP + escapeOwnTags(text))

/** Returns the last lines that fit. */
function newestThatFit(lines: readonly string[], maxTokens: number): string[] {
  let [first, left] = [lines.length, maxTokens]
  while (first > 0) {
    left -= estimateTextTokens(`\n${lines[first - 1] ?? ''}`)
    if (left < 0) break
    first -= 1
  }
  return lines.slice(first)
}

/** Returns the lines of a section without such a list: it is about the span of one compaction. */
export function withoutCourse(lines: readonly string[]): string[] {
  let isInside = false
  return lines.filter((line) => {
    isInside = COURSE.test(line) || (isInside && line.startsWith(STEP))
    return !isInside
  })
}
