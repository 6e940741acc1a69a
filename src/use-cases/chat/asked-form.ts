import { readAskedHeadings, type AskedSections } from '../../summary/asked-sections.ts'
import { isWrittenBeforeText } from './summary-prompts.ts'

/** The form in which a client wants a summary. */
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

/**
 * Returns the form that instructions demand: their sections, and the tag around the summary. The tag is that of the client,
 * which reads it, whatever a hook has made of the instructions.
 */
export function readForm(own: string, instructions = own): AskedForm {
  const tag = (['summary', 'state_snapshot'] as const).find((name) => own.includes(`<${name}>`))
  const asked = readAskedHeadings(instructions)
  const isForm = tag === 'state_snapshot' || (instructions.match(SECTION_LINE) ?? []).length >= MIN_SECTION_LINES
  return {
    ...(tag === undefined ? {} : { tag, isBeforeText: isWrittenBeforeText(own) }),
    ...(asked.headings.length > 0 || isForm ? { asked } : {}),
  }
}

/** Returns the text between the tags that a client has demanded. A model may write an analysis before them. */
export function unwrap(text: string, tag: string): string {
  const start = text.indexOf(`<${tag}>`)
  if (start < 0) return text
  const end = text.lastIndexOf(`</${tag}>`)
  const inner = text.slice(start + tag.length + 2, end > start ? end : undefined).trim()
  return inner === '' ? text : inner
}
