import { isFileList } from '../../files/file-tags.ts'
import { headingName, readHeading } from '../../text/sections.ts'
import {
  GOAL_LABELS,
  HEADINGS,
  NO_PRIOR_HISTORY,
  saysNothing,
  TURN_CONTEXT_LABEL,
  TURN_CONTEXT_NOTE_START,
} from '../../text/summary-headings.ts'
import type { Part } from '../../text/summary-parts.ts'
import { isContextHeading, partOf, partOfItem } from './summary-headings.ts'
import { readTitles } from './summary-titles.ts'

/** The lines with which this summarizer explains the form of a section. */
export const LEGENDS = {
  done: '(Each line: a request of the user => the last words of the agent to it [changed files] (what is known of it). Only ticked lines are done, or said to be done. Below it: the agent, word for word.)',
  decisions: '(The agent, word for word, oldest first. A later line may replace an earlier one.)',
} as const

const UNREAD = new Set<string>([TURN_CONTEXT_LABEL, NO_PRIOR_HISTORY, ...Object.values(LEGENDS)])

/** Lines of a summary that belong to one part. */
interface Passage {
  part: Part
  /** The heading, if none of ours means the same. */
  label?: string | undefined
  lines: string[]
  /** Whether its first line followed a title on the same line. */
  hasRest?: boolean
  /** Whether it stands below a heading `Files`. */
  isFiles?: boolean
}

/**
 * Returns the texts of an earlier summary by part, whoever has written it. Text below an unknown heading, or without a
 * heading, belongs to the critical context.
 */
export function splitParts(summary: string): Partial<Record<Part, string>> {
  const texts: Partial<Record<Part, string[]>> = {}
  for (const passage of splitPassages(withoutSnapshotTags(withoutTags(summary)))) {
    const { part, label, lines, hasRest = false, isFiles = false } = passage
    const kept = lines.filter((line) => !saysNothing(line) && !isSeparator(line))
    // The lists of files are read by code, and written at the end of the summary.
    if (kept.every((line) => line.trim() === '') || (isFiles && isFileList(lines))) continue
    const own = hasRest ? kept : moveOut(kept)
    const text = [...(label === undefined ? [] : [`${label}:`]), ...own].join('\n').trim()
    ;(texts[part] ??= []).push(text)
  }
  return Object.fromEntries(Object.entries(texts).map(([part, found]) => [part, found.join('\n\n')]))
}

const isSeparator = (line: string): boolean =>
  /^-{3,}$/.test(line.trim()) || UNREAD.has(line.trim()) || line.startsWith(TURN_CONTEXT_NOTE_START)

/** Returns lines without the spaces with which all of them begin: they were below an item of a list. */
function moveOut(lines: readonly string[]): readonly string[] {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length)
  const least = indents.reduce((a, b) => Math.min(a, b), Infinity)
  return least > 0 && least < Infinity ? lines.map((line) => line.slice(least)) : lines
}

/** Our own headings, and those of pi. A text below them may have lines that look like titles. */
const OWN_HEADING = /^## (?:Constraints & Preferences|Critical Context|Context for Suffix)$/m

function splitPassages(summary: string): readonly Passage[] {
  const reader = new PassageReader()
  const lines = summary.split('\n')
  const titles = OWN_HEADING.test(summary) ? [] : readTitles(lines)
  for (const [index, line] of lines.entries()) {
    const heading = readHeading(line)
    const title = titles[index]
    if (heading !== undefined) reader.begin(heading)
    else if (title !== undefined) reader.begin({ level: 2, ...title })
    else reader.add(line)
  }
  return reader.passages
}

interface Title {
  level: number
  title: string
  rest?: string
  /** Only of Markdown headings. */
  name?: string
}

const ORIGINAL_REQUEST = headingName(HEADINGS.originalRequest)

/** An item with a label, as in Cline's section `State`. A question, or a part, is none. */
const LABELLED_ITEM = /^[-*] (?:\*\*)?([^:*?()]{1,40})(?:\*\*)?:(?:\*\*)?(.*)$/

/** Collects the passages of a summary. */
class PassageReader {
  readonly passages: Passage[] = [{ part: 'context', lines: [] }]
  /** The headings above the current line, by level. */
  #above: string[] = []
  #current = ''
  #part: Part = 'context'

  begin({ level, title: written, rest = '', name }: Title): void {
    const title = withoutMarks(written)
    const part = partOf(title)
    const parent = this.#above.slice(PEER_LEVEL, level).findLast((one) => one !== '')
    this.#above = [...Array.from({ length: level }, (_, at) => this.#above[at] ?? ''), title]
    this.#current = title
    this.#part = part ?? 'context'
    const isUnknown = part === undefined || (part === 'context' && !isContextHeading(title))
    const path = part === undefined && parent !== undefined ? `${parent}, ${title}` : title
    // The request of a split turn is newer than the history before it.
    const lines = title.toLowerCase() === ORIGINAL_REQUEST ? ['', GOAL_LABELS.newest] : []
    const label = isUnknown ? path : undefined
    this.#open({ part: this.#part, label, lines, isFiles: name === 'files' }, rest)
  }

  add(line: string): void {
    const [, name = '', rest = ''] = LABELLED_ITEM.exec(line) ?? []
    const own = partOfItem(name, this.#current)
    const { lines, part, hasRest = false } = this.passages.at(-1) ?? { lines: [], part: 'context' }
    if (own !== undefined) {
      const text = rest.trim()
      const item = text === '' || saysNothing(text) ? '' : `- ${text}`
      this.#open({ part: own, lines: [] }, item)
    } else if (hasRest && part !== this.#part && /^\S/.test(line)) this.#open({ part: this.#part, lines: [line] }, '')
    else lines.push(line)
  }

  #open(passage: Passage, rest: string): void {
    if (rest !== '') passage.lines.push(rest)
    this.passages.push({ ...passage, hasRest: rest !== '' })
  }
}

/** Headings of levels 1 and 2 are peers: a model may write `# Goal` and `## Progress`. */
const PEER_LEVEL = 2

/** Returns a title without emphasis and without a colon at its end. */
function withoutMarks(title: string): string {
  const bare = title.replaceAll('*', '').trim()
  return bare.endsWith(':') ? bare.slice(0, -1).trim() : bare
}

/** The tags in the snapshots of Gemini CLI and Qwen Code. */
const SNAPSHOT_TAG =
  /<(\/?)(overall_goal|active_constraints|key_knowledge|artifact_trail|file_system_state|recent_actions|current_plan|task_state)>/g

/** Returns a snapshot with headings in place of its tags; any other text as it is. */
const withoutSnapshotTags = (text: string): string =>
  text.trimStart().search(SNAPSHOT_TAG) === 0
    ? text.replace(SNAPSHOT_TAG, (_, slash: string, name: string) =>
        slash === '' ? `\n## ${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}\n` : '\n',
      )
    : text

/** The tags of a model's whole answer. */
const WRAPPING = ['summary', 'state_snapshot']
const THINKING = ['analysis', 'scratchpad']

/** Returns a summary without the tags around it, and without what its model thought before it wrote it. */
function withoutTags(summary: string): string {
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
