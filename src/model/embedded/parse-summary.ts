import type { Part } from './extractive-summary.ts'

/** Where the text below a heading belongs; a split turn's headings fold into the others. */
const HEADINGS: Record<string, Part> = {
  goal: 'goal',
  'constraints & preferences': 'constraints',
  progress: 'done',
  done: 'done',
  'in progress': 'inProgress',
  pending: 'pending',
  blocked: 'blocked',
  'key decisions': 'decisions',
  'next steps': 'nextSteps',
  'critical context': 'context',
  'original request': 'goal',
  'early progress': 'done',
  'context for suffix': 'context',
}

/** The labels that this summarizer writes into a goal, so that the requests are found again. */
export const GOAL_LABELS = { first: 'First request:', newest: 'Newest request:', earlier: 'Earlier goal:' } as const

/** What an earlier summary says, statement by statement. */
export interface ParsedSummary {
  firstRequest?: string
  newestRequest?: string
  /** A goal without our labels, as a model writes it. */
  goal: string[]
  statements: Record<Exclude<Part, 'goal'>, string[]>
}

const NOTHING = /^(?:[-*]\s*)?\(?(?:none|n\/a|nothing)\)?\.?$/i
const SEPARATOR = /^(?:-{3,}|\*\*Turn Context \(split turn\):\*\*|No prior history\.)$/

/**
 * Parses an earlier summary, ours or a model's. Text under headings that are not known, or under none, belongs to the
 * critical context: nothing is lost for being strange.
 */
export function parseSummary(summary: string): ParsedSummary {
  const texts = splitParts(summary)
  const { goal = '', ...rest } = texts
  const statements = Object.fromEntries(
    (['constraints', 'done', 'inProgress', 'pending', 'blocked', 'decisions', 'nextSteps', 'context'] as const).map(
      (part) => [part, splitStatements(rest[part] ?? '')],
    ),
  ) as ParsedSummary['statements']
  return { ...parseGoal(goal), statements }
}

function splitParts(summary: string): Partial<Record<Part, string>> {
  const lines: Partial<Record<Part, string[]>> = {}
  let part: Part = 'context'
  for (const line of summary.split('\n')) {
    const heading = /^#{1,4}\s+(.+)$/.exec(line.trimEnd())?.[1]?.toLowerCase()
    const next = heading === undefined ? undefined : HEADINGS[heading]
    part = next ?? part
    // The request of a turn that was split is newer than the history before it.
    if (heading === 'original request') (lines.goal ??= []).push('', GOAL_LABELS.newest)
    const isStatement = next === undefined && !NOTHING.test(line.trim()) && !SEPARATOR.test(line.trim())
    if (isStatement) (lines[part] ??= []).push(line)
  }
  return Object.fromEntries(Object.entries(lines).map(([name, found]) => [name, found.join('\n').trim()]))
}

/** A statement begins with a list mark at the line's beginning, or after a blank line. */
function splitStatements(text: string): string[] {
  const statements: string[][] = []
  let isNew = true
  for (const line of text.split('\n')) {
    if (line.trim() === '') isNew = true
    else if (isNew || /^(?:[-*+]|\d+\.|#{1,6})\s/.test(line)) {
      statements.push([line])
      isNew = false
    } else statements.at(-1)?.push(line)
  }
  return statements.map((lines) => lines.join('\n').trim())
}

function parseGoal(goal: string): Pick<ParsedSummary, 'firstRequest' | 'newestRequest' | 'goal'> {
  const { first, newest, earlier } = GOAL_LABELS
  const pattern = new RegExp(`(?:^|\\n)(${first}|${newest}|${earlier})\\n`)
  const [unlabelled = '', ...labelled] = goal.split(pattern)
  const byLabel = new Map<string, string>()
  for (let index = 0; index < labelled.length; index += 2)
    byLabel.set(labelled[index] ?? '', labelled[index + 1]?.trim() ?? '')
  const firstRequest = byLabel.get(first)
  const newestRequest = byLabel.get(newest)
  return {
    ...(firstRequest === undefined ? {} : { firstRequest }),
    ...(newestRequest === undefined ? {} : { newestRequest }),
    goal: [unlabelled.trim(), byLabel.get(earlier) ?? ''].filter((text) => text !== ''),
  }
}
