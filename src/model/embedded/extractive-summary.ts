import { isForRequest } from '../../extract/demand-notes.ts'
import { COURSE_HEADS } from '../../extract/describe-course.ts'
import { estimateTextTokens } from '../../tokens/estimate-tokens.ts'
import type { SummaryKind } from '../../prompt/task.ts'
import { closeMarks } from '../../text/close-marks.ts'
import { writeLeftOut } from '../../text/left-out.ts'
import { HEADINGS, NO_CONTENT } from '../../text/summary-headings.ts'
import { PARTS, type Part } from '../../text/summary-parts.ts'
import { fitLines, type Room } from './fit-lines.ts'
import { RANK, rankDetails, type RankedLine } from './ranked-lines.ts'
import { LEGENDS } from './summary-parts.ts'

export type ExtractiveSummary = Record<Part, RankedLine[]>

/** Writes an extract under the headings of its kind, within its limits. */
export function writeExtractiveSummary(extractive: ExtractiveSummary, kind: SummaryKind, room: Room): string {
  const headings = estimateTextTokens(layOut(emptyExtractiveSummary(), layoutOf(kind, extractive))) + SLACK_TOKENS
  const { maxTokens, detailedTokens, newestTokens } = room
  const fitted = fitExtractiveSummary(extractive, {
    ...room,
    maxTokens: maxTokens - headings - LEFT_OUT_TOKENS,
    detailedTokens: detailedTokens - headings,
    newestTokens: newestTokens - headings,
  })
  return layOut(fitted, layoutOf(kind, fitted))
}

/** One heading and the parts below it; the heading of a group has no parts. */
type Layout = readonly (readonly [heading: string, ...parts: Part[]])[]

const SECTIONS: Layout = [
  [HEADINGS.goal, 'goal'],
  [HEADINGS.constraints, 'constraints'],
  [HEADINGS.progress],
  [HEADINGS.done, 'done'],
  [HEADINGS.inProgress, 'inProgress'],
  [HEADINGS.blocked, 'blocked'],
  [HEADINGS.state, 'state'],
  [HEADINGS.decisions, 'decisions'],
  [HEADINGS.nextSteps, 'nextSteps', 'pending'],
  [HEADINGS.context, 'context'],
]

const HANDOFF: Layout = SECTIONS.flatMap(([heading, ...parts]): Layout => [
  [heading, ...parts.filter((part) => part !== 'pending')],
  ...(heading === HEADINGS.inProgress ? [[HEADINGS.pending, 'pending'] as const] : []),
])

/** The headings of each kind of text (prompts/*.md name the same ones; a test compares them). */
const LAYOUTS: Record<SummaryKind, Layout> = {
  history: SECTIONS,
  branch: SECTIONS,
  prompt: SECTIONS,
  handoff: HANDOFF,
  'turn-prefix': [
    [HEADINGS.originalRequest, 'goal'],
    [HEADINGS.earlyProgress, 'done', 'inProgress', 'decisions'],
    [HEADINGS.contextForSuffix, 'nextSteps', 'pending', 'blocked', 'state', 'context'],
    [HEADINGS.constraints, 'constraints'],
  ],
  // Accomplished, current work, next steps, decisions: paragraphs without headings (prompts/continuation.md).
  continuation: [
    ['', 'done'],
    ['', 'goal', 'inProgress', 'blocked', 'state', 'context'],
    ['', 'nextSteps', 'pending'],
    ['', 'decisions', 'constraints'],
  ],
}

/** A turn's beginning has no heading of its own for demands: the one to which code adds them is written where it is needed. */
const layoutOf = (kind: SummaryKind, { constraints }: ExtractiveSummary): Layout =>
  kind === 'turn-prefix' && constraints.length === 0
    ? LAYOUTS[kind].filter(([heading]) => heading !== HEADINGS.constraints)
    : LAYOUTS[kind]

const layOut = (extractive: ExtractiveSummary, layout: Layout): string =>
  layout
    .map(([heading, ...parts]) =>
      writeSection(
        heading,
        parts.flatMap((part) => extractive[part].map(({ text }) => text)),
        parts,
      ),
    )
    .filter((section) => section !== '')
    .join('\n\n')

function writeSection(heading: string, texts: string[], parts: readonly Part[]): string {
  if (heading === '') return closeMarks(texts.join('\n').trim())
  if (parts.length === 0) return heading
  return `${heading}\n${texts.length === 0 ? NO_CONTENT : closeMarks(texts.join('\n').trim())}`
}

/** The sum of the estimates of all parts differs a little from the estimate of the whole. */
const SLACK_TOKENS = 8

/** The line about what is left out. */
const LEFT_OUT_TOKENS = 12

/** The parts whose lines have names: a request or a step that is said elsewhere is named by its beginning. */
const NAMED_PARTS = ['done', 'inProgress', 'pending', 'nextSteps'] as const

/** Leaves out what was said before, and the least important lines until the rest fits into a room, which is without the headings. */
function fitExtractiveSummary(extractive: ExtractiveSummary, room: Room): ExtractiveSummary {
  const all = PARTS.flatMap((part) => extractive[part])
  rankDetails(all)
  const parents = all.map(({ parent }) => parent)
  const named = new Set([
    ...parents,
    ...NAMED_PARTS.flatMap((part) => extractive[part].filter(({ parent }) => parent === undefined)),
    // That it holds for one request only is said nowhere else.
    ...extractive.constraints.filter(({ text }) => isForRequest(text)),
  ])
  const lines = all.toSorted((a, b) => a.rank - b.rank)
  const kept = fitLines(lines, { ...room, named })
  const fitted = forEachPart((part) => withoutBareHeads(extractive[part], kept))
  return {
    ...fitted,
    done: withLeftOut(extractive.done, fitted.done),
    context: withCourseHead(extractive.context, fitted.context),
  }
}

/** Returns the context, whose account of the course says whether it is whole: what is not in a whole one never happened. */
function withCourseHead(all: readonly RankedLine[], kept: readonly RankedLine[]): RankedLine[] {
  const isCourse = ({ detail, parent }: RankedLine): boolean => detail?.kind === 'course' && parent !== undefined
  if (kept.filter(isCourse).length === all.filter(isCourse).length) return [...kept]
  return kept.map((line) => (line.text === COURSE_HEADS.all ? { ...line, text: COURSE_HEADS.newest } : line))
}

/** Returns what is kept of what was done, with the number of turns that had no room, now or in earlier summaries. */
function withLeftOut(all: readonly RankedLine[], kept: readonly RankedLine[]): RankedLine[] {
  const before = all.reduce((sum, { leftOut = 0 }) => sum + leftOut, 0)
  const count = before + all.filter(isTurn).length - kept.filter(isTurn).length
  const lines = kept.filter(({ leftOut }) => leftOut === undefined)
  const at = lines[0]?.text === LEGENDS.done ? 1 : 0
  return count === 0 ? lines : lines.toSpliced(at, 0, { text: writeLeftOut(count), rank: RANK.decision })
}

/** Whether a line is the first one about a turn: of a new one, which has its rank, or of an older one, which is a detail. */
const isTurn = ({ parent, rank, detail }: RankedLine): boolean =>
  parent === undefined && (detail?.kind === 'turn' || Math.floor(rank) === RANK.done)

/** Returns the lines that are kept, without those that only introduce details, if none of these is kept. */
function withoutBareHeads(lines: readonly RankedLine[], kept: ReadonlyMap<RankedLine, RankedLine>): RankedLine[] {
  const parents = new Set(lines.filter((line) => kept.has(line)).map(({ parent }) => parent))
  return lines.filter((line) => parents.has(line) || !introduces(line)).flatMap((line) => kept.get(line) ?? [])
}

const introduces = ({ parent, detail, text }: RankedLine): boolean =>
  parent === undefined && detail !== undefined && text.endsWith(':')

export const emptyExtractiveSummary = (): ExtractiveSummary => forEachPart(() => [])

export const forEachPart = <T>(valueOf: (part: Part) => T): Record<Part, T> =>
  Object.fromEntries(PARTS.map((part) => [part, valueOf(part)])) as Record<Part, T>
