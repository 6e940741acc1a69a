import { readAskedHeadings, type AskedSections } from '../../summary/asked-sections.ts'
import { isWrittenBeforeText } from './summary-prompts.ts'

export interface AskedForm {
  /** Left out where the instructions set no form. */
  asked?: AskedSections
  /** The tag that the client wants around the summary. */
  tag?: 'summary' | 'state_snapshot'
  /** Whether the client writes the summary before other text: it then has a mark at its end. */
  isBeforeText?: boolean
}

/** A section without a heading: `2. Files and Code:` (Claude Code), `USER_CONTEXT:` (OpenHands). */
const SECTION_LINE = /^(?:[ \t]{0,8}\d{1,2}\.[ \t]{1,4}(?:\*\*)?[A-Z][^.:\n]{1,60}|[A-Z][A-Z_]{3,40}):/gm

/** As many of them are a form. */
const MIN_SECTION_LINES = 3

/** Tags of the earlier summary, which opencode 2 does not want in the new one. */
const FORBIDDEN_TAGS = /\bDo not reproduce [^\n]{0,200}/g

/**
 * Returns the form that instructions demand: their sections, and the tag around the summary. The tag is that of the client,
 * which reads it, whatever a hook has made of the instructions.
 */
export function readForm(own: string, instructions = own): AskedForm {
  const wanted = own.replace(FORBIDDEN_TAGS, '')
  const tag = (['summary', 'state_snapshot'] as const).find((name) => wanted.includes(`<${name}>`))
  const asked = readAskedHeadings(instructions)
  const isForm = tag === 'state_snapshot' || (instructions.match(SECTION_LINE) ?? []).length >= MIN_SECTION_LINES
  return {
    ...(tag === undefined ? {} : { tag, isBeforeText: isWrittenBeforeText(own) }),
    ...(asked.headings.length > 0 || isForm ? { asked } : {}),
  }
}

/**
 * Returns the text between the tags that a client has demanded of a model: the last such block that begins a line. A model
 * may write an analysis before it, and tags inside of both: in an analysis, in HTML, or as the name of a tag.
 */
export function unwrap(text: string, tag: string): string {
  const { closed, open } = findTagged(text, tag)
  const inner = text.slice(closed?.start ?? open ?? 0, closed?.end).trim()
  return inner === '' ? text : inner
}

interface Tagged {
  /** The last block with both tags that is in no other one. */
  closed?: { start: number; end: number }
  /** Where the text after the last opening tag without a closing one begins. */
  open?: number | undefined
}

/** Finds blocks whose opening tag begins a line, and whose closing tag ends one, or is on the same line. */
function findTagged(text: string, tag: string): Tagged {
  const tags = new RegExp(
    String.raw`(?<newline>\n)|(?<first>^[ \t]{0,8}<${tag}>)|(?<inLine><${tag}>)|</${tag}>(?:(?<last>[ \t]{0,8}$)|)`,
    'gm',
  )
  const opened: { start: number; line: number }[] = []
  const found: Tagged = {}
  let line = 0
  let isInLine = false
  for (const { 0: match, index, groups: { newline, first, inLine, last } = {} } of text.matchAll(tags)) {
    const isClosing = newline === undefined && first === undefined && inLine === undefined
    if (newline !== undefined) line += 1
    if (first !== undefined) opened.push({ start: index + match.length, line })
    if (isClosing && !isInLine && (last !== undefined || opened.at(-1)?.line === line)) {
      const start = opened.pop()?.start
      if (start !== undefined) found.closed = { start, end: index }
    }
    isInLine = inLine !== undefined
  }
  return { ...found, open: opened.at(-1)?.start }
}
