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
  const newest = newestThatFit(steps, Math.min(MAX_COURSE_TOKENS, room))
  if (newest.length < MIN_STEPS) return section
  if (isWholeCourse(course, steps.slice(-newest.length))) return [before, COURSE_HEADS.all, ...newest].join('\n')
  return [before, ...writeParts({ course, steps, room })].join('\n')
}

/** Returns the newest steps, and what ended earlier work, which may take a third of the room. */
function writeParts({
  course,
  steps,
  room,
}: {
  course: readonly CourseStep[]
  steps: CourseStep[]
  room: number
}): string[] {
  const earlierRoom = Math.min(MAX_EARLIER_TOKENS, room / 3) - estimateTextTokens(`\n${COURSE_HEADS.earlier}`)
  const newest = newestThatFit(steps, Math.min(MAX_COURSE_TOKENS, room * (2 / 3)))
  const first = steps.at(-newest.length)
  const milestones = findMilestones(course.slice(0, first === undefined ? 0 : course.indexOf(first)))
  const earlier = newestThatFit(milestones, earlierRoom)
  if (earlier.length > 0) return [COURSE_HEADS.newest, ...newest, COURSE_HEADS.earlier, ...earlier]
  return [COURSE_HEADS.newest, ...newestThatFit(steps, Math.min(MAX_COURSE_TOKENS, room))]
}

/** Returns the lines of the newest steps that fit. */
function newestThatFit(steps: readonly CourseStep[], maxTokens: number): string[] {
  const lines = describeSteps(steps).map((text) => STEP + escapeOwnTags(text))
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
