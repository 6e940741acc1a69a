import type { CourseStep } from '../extract/course-log.ts'
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
  const room = maxTokens - estimateTextTokens(before)
  const steps = chooseSteps(course)
  const head = estimateTextTokens(`\n${COURSE_HEADS.newest}`)
  const newest = newestThatFit(steps, Math.min(MAX_COURSE_TOKENS, room) - head)
  if (newest.lines.length < MIN_STEPS) return section
  const shown = steps.slice(-newest.lines.length)
  if (isWholeCourse(course, shown)) return [before, COURSE_HEADS.all, ...newest.lines].join('\n')
  const list = [COURSE_HEADS.newest, ...newest.lines]
  return [before, ...list, ...earlierThan(shown, course, room - head - newest.tokens)].join('\n')
}

/** Returns what ended a piece of work before the first of some steps, with its head; nothing where there is none or no room. */
function earlierThan(shown: readonly CourseStep[], course: readonly CourseStep[], maxTokens: number): string[] {
  const [first] = shown
  const milestones = findMilestones(course.slice(0, first === undefined ? 0 : course.indexOf(first)))
  const head = estimateTextTokens(`\n${COURSE_HEADS.earlier}`)
  const { lines } = newestThatFit(milestones, Math.min(MAX_EARLIER_TOKENS, maxTokens) - head)
  return lines.length === 0 ? [] : [COURSE_HEADS.earlier, ...lines]
}

/** Returns the lines of the newest steps that fit, and their tokens. */
function newestThatFit(steps: readonly CourseStep[], maxTokens: number): { lines: string[]; tokens: number } {
  const lines = describeSteps(steps).map((text) => STEP + escapeOwnTags(text))
  let [first, tokens] = [lines.length, 0]
  while (first > 0) {
    const more = estimateTextTokens(`\n${lines[first - 1] ?? ''}`)
    if (tokens + more > maxTokens) break
    tokens += more
    first -= 1
  }
  return { lines: lines.slice(first), tokens }
}

/** Returns the lines of a section without such a list: it is about the span of one compaction. */
export function withoutCourse(lines: readonly string[]): string[] {
  let isInside = false
  return lines.filter((line) => {
    isInside = COURSE.test(line) || (isInside && line.startsWith(STEP))
    return !isInside
  })
}
