import { HEADINGS } from '../../text/summary-headings.ts'
import type { Part } from '../../text/summary-parts.ts'

/**
 * The headings of our summaries and of those that models write by the prompts of clients, by the part that has their text:
 * Claude Code 2.1.330, Cline 3.0.65, opencode 1.18.33, Codex 0.169, Gemini CLI 0.61, Qwen Code 0.24, OpenHands 1, Roo 3.36,
 * and usual other words for the same things.
 */
const NAMES: Readonly<Record<Part, readonly string[]>> = {
  goal: [
    ...[HEADINGS.goal, HEADINGS.originalRequest, 'Goals', 'Objective', 'Objectives', 'Overall goal', 'User context'],
    ...['Primary request and intent', 'Primary request', 'User request', 'User intent'],
  ],
  constraints: [
    ...[HEADINGS.constraints, 'Constraints and preferences', 'Constraints', 'Preferences', 'Active constraints'],
    ...['User preferences', 'User constraints', 'User directives', 'Requirements', 'Constraints or user preferences'],
  ],
  done: [
    ...[HEADINGS.progress, HEADINGS.done, HEADINGS.earlyProgress, 'State', 'Work state', 'Completed', 'Completed work'],
    ...['Current progress', 'Current progress and key decisions', 'Current progress and key decisions made', 'Changes'],
    ...['Recent actions', 'What was done', 'Work done', 'Accomplished', 'Accomplishments'],
  ],
  inProgress: [HEADINGS.inProgress, 'Active', 'Active work', 'Current work', 'Current task', 'Task tracking'],
  pending: [
    HEADINGS.pending,
    'Pending tasks',
    'Todo',
    'Remaining work',
    'Remaining tasks',
    'Open tasks',
    'Open items',
    'Unresolved',
    'Unresolved issues',
    'Outstanding tasks',
  ],
  blocked: [HEADINGS.blocked, 'Blockers', 'Open questions', 'Blockers and open questions'],
  state: [
    ...[
      HEADINGS.state,
      'Files and code sections',
      'Files and code',
      'Relevant files',
      'Relevant files and code',
      'Files',
    ],
    ...['File system state', 'Code state', 'Current state', 'Artifact trail', 'Key files', 'Important files'],
    ...['Modified files', 'Changed files', 'Files modified', 'Files changed'],
  ],
  decisions: [HEADINGS.decisions, 'Decisions', 'Highlights', 'Design decisions', 'Technical decisions'],
  nextSteps: [
    ...[HEADINGS.nextSteps, 'Next step', 'Next', 'Next move', 'Next moves', 'Next actions', 'Optional next step'],
    ...['Immediate next steps', 'Current plan', 'Plan', 'Task state', 'What remains', 'What remains to be done'],
    ...['Remaining steps', 'Pending tasks and next steps'],
  ],
  context: [
    ...[HEADINGS.context, HEADINGS.contextForSuffix, 'Context', 'Important details', 'Key knowledge', 'Tests', 'Deps'],
    ...[
      'Key technical concepts',
      'Errors and fixes',
      'All user messages',
      'Version control status',
      'Important context',
    ],
    // It has solved problems, and those that are still open.
    ...['Problem solving', 'Critical data', 'Previous conversation', 'Notes'],
  ],
}

/** Returns a key that is equal for the spellings of a heading: case, numbers, marks and what is in parentheses do not count. */
function keyOf(title: string): string {
  const end = title.indexOf('(')
  return title
    .slice(0, end < 0 ? MAX_TITLE_CHARACTERS : Math.min(end, MAX_TITLE_CHARACTERS))
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/^[^a-z]+/, '')
    .replace(/[^a-z]/g, '')
}

const MAX_TITLE_CHARACTERS = 80

const PARTS = new Map(
  Object.entries(NAMES).flatMap(([part, names]) => names.map((name): [string, Part] => [keyOf(name), part as Part])),
)

/** Returns the part that has the text below a heading; undefined for an unknown one. */
export const partOf = (title: string): Part | undefined => PARTS.get(keyOf(title))

/** The headings of our own context: other ones are kept there as labels. */
const CONTEXT_NAMES = new Set([HEADINGS.context, HEADINGS.contextForSuffix, 'Context'].map(keyOf))

export const isContextHeading = (title: string): boolean => CONTEXT_NAMES.has(keyOf(title))

/** The headings whose items may name the part that they belong to, as in Cline's `- Done: ...`. */
const ITEM_HEADINGS = new Set([HEADINGS.progress, 'State', 'Work state', 'Current progress'].map(keyOf))

export const hasItemLabels = (title: string): boolean => ITEM_HEADINGS.has(keyOf(title))

/** A line that is a heading without being one of Markdown. */
interface TitleLine {
  title: string
  /** What follows the title on its line. */
  rest: string
  /** Whether an item of a list may have the same form: it has a number, or it is in capital letters. */
  isEnumerated: boolean
}

/** A number, spaces and stars before a title. */
const TITLE_START = /^ {0,3}(\d{1,2}[.)] {1,3})?(\*\*)?(?=[A-Z])/

/**
 * Returns the known title with which a line begins: `1. Current Work: ...` (Claude Code, Roo), `COMPLETED: ...` (OpenHands),
 * `**Next Steps**`, or `Next steps:` alone on its line.
 */
export function readTitleLine(line: string): TitleLine | undefined {
  const [start, number, stars] = TITLE_START.exec(line) ?? []
  if (start === undefined) return undefined
  const head = line.slice(start.length, start.length + MAX_TITLE_CHARACTERS)
  const colon = head.indexOf(':')
  const title = (colon < 0 ? head : head.slice(0, colon)).replaceAll('*', '').trim()
  if (partOf(title) === undefined) return undefined
  const isEnumerated = number !== undefined || title === title.toUpperCase()
  const after = colon < 0 ? '' : line.slice(start.length + colon + 1)
  const rest = (after.startsWith('**') ? after.slice(2) : after).trim()
  const isBold = stars !== undefined && (colon >= 0 || head.trimEnd().endsWith('**'))
  const isLabel = isBold || (colon >= 0 && (rest === '' || isEnumerated))
  return isLabel ? { title, rest, isEnumerated } : undefined
}

/** The tags in the snapshots of Gemini CLI and Qwen Code. */
const SNAPSHOT_TAG =
  /<(\/?)(overall_goal|active_constraints|key_knowledge|artifact_trail|file_system_state|recent_actions|current_plan|task_state)>/g

/** Returns a snapshot with headings in place of its tags; any other text as it is. */
export const withoutSnapshotTags = (text: string): string =>
  text.trimStart().search(SNAPSHOT_TAG) === 0
    ? text.replace(SNAPSHOT_TAG, (_, slash: string, name: string) =>
        slash === '' ? `\n## ${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}\n` : '\n',
      )
    : text

/** The tags of a model's whole answer. */
const WRAPPING = ['summary', 'state_snapshot']
const THINKING = ['analysis', 'scratchpad']

/** Returns a summary without the tags around it, and without what its model thought before it wrote it. */
export function withoutTags(summary: string): string {
  const isWrapped = WRAPPING.some((name) => summary.includes(`<${name}>`))
  const spoken = isWrapped ? THINKING.reduce(withoutBlock, summary) : summary
  return [...WRAPPING, ...THINKING].reduce(withoutTag, spoken)
}

function withoutBlock(text: string, name: string): string {
  if (!text.trimStart().startsWith(`<${name}>`)) return text
  const close = `</${name}>`
  const end = text.indexOf(close)
  return end < 0 ? text : text.slice(end + close.length)
}

/** Removes a tag where a line begins or ends with it: in the middle of a sentence it is a word. */
const withoutTag = (text: string, name: string): string =>
  text.includes(`${name}>`)
    ? text
        .split('\n')
        .map((line) => withoutEdge(line, name))
        .join('\n')
    : text

function withoutEdge(line: string, name: string): string {
  const [open, close] = [`<${name}>`, `</${name}>`]
  const trimmed = line.trim()
  const start = trimmed.startsWith(open) ? open.length : 0
  const end = trimmed.endsWith(close) && trimmed.length - close.length >= start ? -close.length : undefined
  return start === 0 && end === undefined ? line : trimmed.slice(start, end)
}
