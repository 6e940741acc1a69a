import { estimateTextTokens } from '../../tokens/estimate-tokens.ts'
import type { SummaryKind } from '../../prompt/task.ts'
import { HEADINGS, NO_CONTENT } from '../../text/summary-headings.ts'

/** The parts of an extract, under any headings. */
const PARTS = [
  'goal',
  'constraints',
  'done',
  'inProgress',
  'pending',
  'blocked',
  'decisions',
  'nextSteps',
  'context',
] as const
export type Part = (typeof PARTS)[number]

/** One statement of one or more lines. The lower the rank, the longer it stays when room is short. */
export interface RankedLine {
  text: string
  rank: number
}

export type ExtractiveSummary = Record<Part, RankedLine[]>

/** Writes an extract under the headings of its kind, within a limit of tokens. */
export function writeExtractiveSummary(extractive: ExtractiveSummary, kind: SummaryKind, maxTokens: number): string {
  const bare = layOut(fitExtractiveSummary(extractive, 0), LAYOUTS[kind])
  return layOut(fitExtractiveSummary(extractive, maxTokens - estimateTextTokens(bare)), LAYOUTS[kind])
}

/** One heading and the parts below it; the heading of a group has no parts. */
type Layout = readonly (readonly [heading: string, ...parts: Part[]])[]

const SECTIONS: Layout = [
  [HEADINGS.goal, 'goal'],
  [HEADINGS.constraints, 'constraints'],
  [HEADINGS.progress],
  [HEADINGS.done, 'done'],
  [HEADINGS.inProgress, 'inProgress', 'pending'],
  [HEADINGS.blocked, 'blocked'],
  [HEADINGS.decisions, 'decisions'],
  [HEADINGS.nextSteps, 'nextSteps'],
  [HEADINGS.context, 'context'],
]

const HANDOFF: Layout = SECTIONS.flatMap((section): Layout =>
  section[0] === HEADINGS.inProgress
    ? [
        [HEADINGS.inProgress, 'inProgress'],
        [HEADINGS.pending, 'pending'],
      ]
    : [section],
)

/** The headings of each kind of text (prompts/*.md name the same ones; a test compares them). */
const LAYOUTS: Record<SummaryKind, Layout> = {
  history: SECTIONS,
  branch: SECTIONS,
  prompt: SECTIONS,
  handoff: HANDOFF,
  'turn-prefix': [
    [HEADINGS.originalRequest, 'goal'],
    [HEADINGS.earlyProgress, 'done', 'inProgress', 'decisions'],
    [HEADINGS.contextForSuffix, 'constraints', 'nextSteps', 'pending', 'blocked', 'context'],
  ],
  // Accomplished, current work, next steps, decisions: paragraphs without headings (prompts/continuation.md).
  continuation: [
    ['', 'done'],
    ['', 'goal', 'inProgress', 'blocked', 'context'],
    ['', 'nextSteps', 'pending'],
    ['', 'decisions', 'constraints'],
  ],
}

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
  if (heading === '') return texts.join('\n').trim()
  if (parts.length === 0) return heading
  return `${heading}\n${texts.length === 0 ? NO_CONTENT : texts.join('\n').trim()}`
}

/** The sum of the estimates of all parts differs a little from the estimate of the whole. */
const SLACK_TOKENS = 8

/**
 * Leaves out the least important lines until the rest fits.
 * @param budgetTokens the limit of the lines, without the headings
 */
function fitExtractiveSummary(extractive: ExtractiveSummary, budgetTokens: number): ExtractiveSummary {
  const all = PARTS.flatMap((part) => extractive[part])
  const kept = new Set<RankedLine>()
  let leftTokens = budgetTokens - SLACK_TOKENS
  for (const line of all.toSorted((a, b) => a.rank - b.rank)) {
    const tokens = estimateTextTokens(`${line.text}\n`)
    if (tokens > leftTokens) continue
    leftTokens -= tokens
    kept.add(line)
  }
  return Object.fromEntries(
    PARTS.map((part) => [part, extractive[part].filter((line) => kept.has(line))]),
  ) as ExtractiveSummary
}

export const emptyExtractiveSummary = (): ExtractiveSummary => ({
  goal: [],
  constraints: [],
  done: [],
  inProgress: [],
  pending: [],
  blocked: [],
  decisions: [],
  nextSteps: [],
  context: [],
})
