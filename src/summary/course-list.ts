import type { CourseStep } from '../extract/course-log.ts'
import {
  chooseSteps,
  COURSE,
  COURSE_HEADS,
  describeSteps,
  isWholeCourse,
  MIN_STEPS,
} from '../extract/describe-course.ts'
import { HEADINGS } from '../text/summary-headings.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import { escapeOwnTags } from './evidence-section.ts'

/** The list has room for some 45 steps. */
const MAX_COURSE_TOKENS = 1200

const STEP = '  - '

/**
 * Adds what was done, in order, to the end of a section of evidence: the newest steps that fit into the room that the other
 * facts leave. A list of very few steps says little about their order, and is left out.
 * @param section an empty string where there are no other facts
 */
export function addCourse(section: string, course: readonly CourseStep[], maxTokens: number): string {
  const steps = chooseSteps(course)
  const lines = describeSteps(steps).map((text) => STEP + escapeOwnTags(text))
  const before = section === '' ? HEADINGS.evidence : section
  const room = Math.min(MAX_COURSE_TOKENS, maxTokens - estimateTextTokens(before))
  let tokens = estimateTextTokens(`\n${COURSE_HEADS.newest}`)
  let first = lines.length
  while (first > 0) {
    tokens += estimateTextTokens(`\n${lines[first - 1] ?? ''}`)
    if (tokens > room) break
    first -= 1
  }
  if (lines.length - first < MIN_STEPS) return section
  const head = isWholeCourse(course, steps.slice(first)) ? COURSE_HEADS.all : COURSE_HEADS.newest
  return [before, head, ...lines.slice(first)].join('\n')
}

/** Returns the lines of a section without such a list: it is about the span of one compaction. */
export function withoutCourse(lines: readonly string[]): string[] {
  let isInside = false
  return lines.filter((line) => {
    isInside = COURSE.test(line) || (isInside && line.startsWith(STEP))
    return !isInside
  })
}
