import {
  chooseSteps,
  COURSE,
  COURSE_HEADS,
  describeMilestones,
  describeSteps,
  findMilestones,
  isSolved,
  isWholeCourse,
  MIN_STEPS,
  type CourseStep,
} from '../extract/describe-course.ts'
import { HEADINGS } from '../text/summary-headings.ts'
import { firstThatFit } from '../text/that-fit.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import { escapeOwnTags } from './evidence-section.ts'

/** The list has room for some 45 steps. */
const MAX_COURSE_TOKENS = 1200

/** Before them, what ended work and what was solved have room for some 20 steps each, and at most so much of the room for evidence. */
const MAX_EARLIER_TOKENS = 700
const EARLIER_SHARE = 0.4

const STEP = '  - '

/**
 * Adds what was done, in order, to the end of a section of evidence: the newest steps that fit into the room that the other
 * facts leave, and of those before them, which have a room of their own, what ended a piece of work and what failed and passed later. A
 * list of very few steps says little about their order, and is left out.
 * @param section an empty string where there are no other facts
 * @param maxTokens the room for evidence
 */
export function addCourse(section: string, course: readonly CourseStep[], maxTokens: number): string {
  const start = section === '' ? HEADINGS.evidence : section
  const room = maxTokens - estimateTextTokens(`${start}\n${COURSE_HEADS.newest}`)
  const steps = chooseSteps(course)
  const lines = describeSteps(steps).map(writeStep)
  const newest = firstThatFit(lines.toReversed(), Math.min(MAX_COURSE_TOKENS, room), tokensOfLine).reverse()
  if (newest.length < MIN_STEPS) return section
  if (isWholeCourse(course, steps.slice(-newest.length))) return [start, COURSE_HEADS.all, ...newest].join('\n')
  const first = steps.at(-newest.length)
  const before = course.slice(0, first === undefined ? 0 : course.indexOf(first))
  const earlier = writeEarlier(before, Math.min(MAX_EARLIER_TOKENS, maxTokens * EARLIER_SHARE))
  return [start, COURSE_HEADS.newest, ...newest, ...earlier].join('\n')
}

/** Returns what ended earlier work and what was solved in it, each in its room, in order. */
function writeEarlier(steps: readonly CourseStep[], maxTokens: number): string[] {
  const milestones = findMilestones(steps)
  const lines = describeMilestones(milestones).map(writeStep)
  const left = { solved: maxTokens, ended: maxTokens }
  const kept: string[] = []
  for (const [at, step] of [...milestones.entries()].reverse()) {
    const line = lines[at] ?? ''
    const kind = isSolved(step) ? 'solved' : 'ended'
    left[kind] -= tokensOfLine(line)
    if (left[kind] >= 0) kept.push(line)
  }
  return kept.length === 0 ? [] : [COURSE_HEADS.earlier, ...kept.reverse()]
}

const writeStep = (text: string): string => STEP + escapeOwnTags(text)

const tokensOfLine = (line: string): number => estimateTextTokens(`\n${line}`)

/** Returns the lines of a section without such a list: it is about the span of one compaction. */
export function withoutCourse(lines: readonly string[]): string[] {
  let isInside = false
  return lines.filter((line) => {
    isInside = COURSE.test(line) || (isInside && line.startsWith(STEP))
    return !isInside
  })
}
