import { headingName, parseSections, type Section } from '../../text/sections.ts'
import { excerptOf } from '../../text/shorten.ts'
import {
  GOAL_LABELS,
  HEADINGS,
  NO_PRIOR_HISTORY,
  saysNothing,
  TURN_CONTEXT_LABEL,
} from '../../text/summary-headings.ts'
import type { Part } from './extractive-summary.ts'

/** The statements of an earlier summary, by part. */
export interface ParsedSummary {
  firstRequest?: string
  newestRequest?: string
  /** A goal without our labels, as a model writes it. */
  goal: string[]
  statements: Record<Exclude<Part, 'goal'>, string[]>
}

/**
 * Parses an earlier summary, ours or a model's. Text under unknown headings, or without a heading, belongs to the
 * critical context, so that nothing is lost.
 */
export function parseSummary(summary: string): ParsedSummary {
  const texts = splitParts(summary)
  const { goal = '', ...rest } = texts
  const statements = Object.fromEntries(
    (
      ['constraints', 'done', 'inProgress', 'pending', 'blocked', 'state', 'decisions', 'nextSteps', 'context'] as const
    ).map((part) => [part, splitStatements(rest[part] ?? '')]),
  ) as ParsedSummary['statements']
  return { ...parseGoal(goal), statements }
}

/** The part for the text below each heading; the headings of a split turn map to the same parts. */
const PARTS_BY_HEADING = new Map<string, Part>(
  Object.entries({
    [HEADINGS.goal]: 'goal',
    [HEADINGS.constraints]: 'constraints',
    [HEADINGS.progress]: 'done',
    [HEADINGS.done]: 'done',
    [HEADINGS.inProgress]: 'inProgress',
    [HEADINGS.pending]: 'pending',
    [HEADINGS.blocked]: 'blocked',
    [HEADINGS.state]: 'state',
    [HEADINGS.decisions]: 'decisions',
    [HEADINGS.nextSteps]: 'nextSteps',
    [HEADINGS.context]: 'context',
    [HEADINGS.originalRequest]: 'goal',
    [HEADINGS.earlyProgress]: 'done',
    [HEADINGS.contextForSuffix]: 'context',
  } as const).map(([heading, part]) => [headingName(heading), part]),
)

/** The lines with which this summarizer explains the form of a section. */
export const LEGENDS = {
  done: '(Each line: a request of the user => the last words of the agent to it [changed files]. Below it: the agent, word for word.)',
  decisions: '(The agent, word for word, oldest first. A later line may replace an earlier one.)',
} as const

const UNREAD = new Set<string>([TURN_CONTEXT_LABEL, NO_PRIOR_HISTORY, ...Object.values(LEGENDS)])

const ORIGINAL_REQUEST = headingName(HEADINGS.originalRequest)

function splitParts(summary: string): Partial<Record<Part, string>> {
  const lines: Partial<Record<Part, string[]>> = {}
  let part: Part = 'context'
  for (const section of parseSections(withOwnHeadings(summary))) {
    if (isFileList(section)) continue
    const next = section.heading === undefined ? undefined : PARTS_BY_HEADING.get(section.heading.name)
    part = next ?? part
    const found = (lines[part] ??= [])
    // The request of a split turn is newer than the history before it.
    if (section.heading?.name === ORIGINAL_REQUEST) found.push('', GOAL_LABELS.newest)
    // An unknown heading is text.
    if (section.heading !== undefined && next === undefined) found.push(section.heading.line)
    for (const line of section.lines) if (!saysNothing(line) && !isSeparator(line)) found.push(line)
  }
  return Object.fromEntries(Object.entries(lines).map(([name, found]) => [name, found.join('\n').trim()]))
}

/** Whether a section is the list of files that Cline adds to a summary, and makes anew each time. */
const isFileList = ({ heading, lines }: Section): boolean =>
  heading?.name === 'files' && lines.every((line) => /^(?:(?:Read|Modified|Edited):.*|- .*|\s*)$/.test(line))

/** The sections of Claude Code's summaries (2.1.330), and ours with the same content. Their names stay where ours differ. */
const CLAUDE_CODE: Readonly<Record<string, string>> = {
  'primary request and intent': HEADINGS.goal,
  'key technical concepts': `${HEADINGS.context}\nKey technical concepts:`,
  'files and code sections': HEADINGS.state,
  'errors and fixes': `${HEADINGS.context}\nErrors and fixes:`,
  'problem solving': HEADINGS.done,
  'all user messages': `${HEADINGS.context}\nAll user messages:`,
  'pending tasks': HEADINGS.pending,
  'current work': HEADINGS.inProgress,
  'optional next step': HEADINGS.nextSteps,
}

const CLAUDE_CODE_HEADING = new RegExp(
  String.raw`^(?:\d\.|#{1,6})? ?(?:\*\*)?(${Object.keys(CLAUDE_CODE).join('|')})(?::\*\*|\*\*:?|:)(?: (.*))?$`,
  'i',
)

/** Replaces Claude Code's headings, which are items of a list, with ours. The text below them is moved in. */
function withOwnHeadings(summary: string): string {
  if (!/primary request and intent/i.test(summary)) return summary
  return summary
    .split('\n')
    .map((line) => {
      const [, title, rest = ''] = CLAUDE_CODE_HEADING.exec(line) ?? []
      if (title === undefined) return line.replace(/^ {3}/, '')
      return `${CLAUDE_CODE[title.toLowerCase()] ?? line}${rest === '' ? '' : `\n${rest}`}`
    })
    .join('\n')
}

const isSeparator = (line: string): boolean => /^-{3,}$/.test(line.trim()) || UNREAD.has(line.trim())

/** Splits a text into statements. Each begins with a list mark at the beginning of a line, or after a blank line. */
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
  const pattern = new RegExp(`(?:^|\\n)(${Object.values(GOAL_LABELS).join('|')})\\n`)
  const [unlabelled = '', ...labelled] = goal.split(pattern)
  const byLabel = new Map<string, string>()
  for (let index = 0; index < labelled.length; index += 2)
    byLabel.set(labelled[index] ?? '', labelled[index + 1]?.trim() ?? '')
  const firstRequest = byLabel.get(first)
  const newestRequest = unquote(byLabel.get(newest))
  return {
    ...(firstRequest === undefined ? {} : { firstRequest }),
    ...(newestRequest === undefined ? {} : { newestRequest }),
    goal: [unlabelled.trim(), byLabel.get(earlier) ?? ''].filter((text) => text !== ''),
  }
}

/** Returns the beginning of a request that code has quoted as a whole; any other text as it is. */
function unquote(request: string | undefined): string | undefined {
  if (request?.startsWith('>') !== true) return request
  return excerptOf(request.replace(/^> ?/gm, ''))
}
