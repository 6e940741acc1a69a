import type { SummaryKind } from '../summarizer.ts'
import { estimateTextTokens } from '../../plan/estimate-tokens.ts'
import { fitOutline } from './fit-outline.ts'
import type { Outline, Part } from './outline.ts'

/** One heading and the parts that stand under it; a heading of a group has none of its own. */
type Layout = readonly (readonly [heading: string, ...parts: Part[]])[]

const SECTIONS: Layout = [
  ['## Goal', 'goal'],
  ['## Constraints & Preferences', 'constraints'],
  ['## Progress'],
  ['### Done', 'done'],
  ['### In Progress', 'inProgress', 'pending'],
  ['### Blocked', 'blocked'],
  ['## Key Decisions', 'decisions'],
  ['## Next Steps', 'nextSteps'],
  ['## Critical Context', 'context'],
]

const HANDOFF: Layout = SECTIONS.flatMap((section): Layout =>
  section[0] === '### In Progress'
    ? [
        ['### In Progress', 'inProgress'],
        ['### Pending', 'pending'],
      ]
    : [section],
)

/** The headings that each kind of text has (prompts/*.md name the same; a test holds that). */
const LAYOUTS: Record<SummaryKind, Layout> = {
  history: SECTIONS,
  branch: SECTIONS,
  prompt: SECTIONS,
  handoff: HANDOFF,
  'turn-prefix': [
    ['## Original Request', 'goal'],
    ['## Early Progress', 'done', 'inProgress', 'decisions'],
    ['## Context for Suffix', 'constraints', 'nextSteps', 'pending', 'blocked', 'context'],
  ],
  // Accomplished, current work, next steps, decisions: paragraphs without headings (prompts/continuation.md).
  continuation: [
    ['', 'done'],
    ['', 'goal', 'inProgress', 'blocked', 'context'],
    ['', 'nextSteps', 'pending'],
    ['', 'decisions', 'constraints'],
  ],
}

/** Writes an outline under its kind's headings, within so many tokens. */
export function writeOutline(outline: Outline, kind: SummaryKind, maxTokens: number): string {
  const bare = layOut(fitOutline(outline, 0), LAYOUTS[kind])
  return layOut(fitOutline(outline, maxTokens - estimateTextTokens(bare)), LAYOUTS[kind])
}

const layOut = (outline: Outline, layout: Layout): string =>
  layout
    .map(([heading, ...parts]) =>
      writeSection(
        heading,
        parts.flatMap((part) => outline[part].map(({ text }) => text)),
        parts,
      ),
    )
    .filter((section) => section !== '')
    .join('\n\n')

function writeSection(heading: string, texts: string[], parts: readonly Part[]): string {
  if (heading === '') return texts.join('\n').trim()
  if (parts.length === 0) return heading
  return `${heading}\n${texts.length === 0 ? '(none)' : texts.join('\n').trim()}`
}
