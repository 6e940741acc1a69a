import { findConversation } from '../session/transcript.ts'
import {
  appendToSection,
  findSectionEnd,
  getSection,
  headingName,
  parseSections,
  readHeading,
  renderSections,
  type Section,
} from '../text/sections.ts'
import { HEADINGS } from '../text/summary-headings.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'

/**
 * Adds lines to the end of a section. Where there is no such section, adds it after the section `after` if the summary
 * has that one, else after all sections that the model wrote.
 * @param heading with its marks, such as `## Critical Context`
 */
export function insertInSection(
  summary: string,
  heading: string,
  { lines, after }: { lines: readonly string[]; after?: string },
): string {
  const sections = parseSections(summary, ENDS_SECTIONS)
  const behind = after === undefined ? undefined : findSectionEnd(sections, after)
  const newSectionAt = behind ?? endOfModelSections(sections)
  return renderSections(appendToSection(sections, heading, { lines, newSectionAt })).replace(/^\n+/, '')
}

/** Lines that begin text written by code: the context of a split turn, and file tags. */
const ENDS_SECTIONS = /^(?:---|<(?:read|modified)-files>)$/

function endOfModelSections(sections: readonly Section[]): number {
  const index = sections.findIndex(
    (section) => isEvidence(section) || (section.heading === undefined && ENDS_SECTIONS.test(section.lines[0] ?? '')),
  )
  return index < 0 ? sections.length : index
}

/**
 * Takes the sections with a heading that only code writes out of a summary.
 * @param heading with its marks, in exactly this spelling
 * @param read reads the lines of a section, and returns those that code did not write: they stay in the summary
 * @returns the same text where there is no such section
 */
export function takeSections(
  summary: string,
  heading: string,
  read: (lines: readonly string[]) => readonly string[],
): string {
  const sections = parseSections(summary)
  const isTaken = (section: Section): boolean => section.heading?.line.trimEnd() === heading
  if (!sections.some(isTaken)) return summary
  const others = sections.map((section) => (isTaken(section) ? { lines: [...read(section.lines)] } : section))
  return renderSections(others)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Whether a section has the exact heading that code writes for evidence: a model may write a similar one. */
const isEvidence = ({ heading }: Section): boolean => heading?.line.trimEnd() === HEADINGS.evidence

/** Returns the lines of all sections with a heading: the summary of a split turn may have the section twice. */
export const linesInSection = (summary: string, heading: string): string[] =>
  getSection(parseSections(summary, ENDS_SECTIONS), heading)

/** Indents each line that would begin or end a section by a space, so that it stays a quote. */
export const quoteSectionLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => (readHeading(line) !== undefined || LOOKS_LIKE_END.test(line) ? ` ${line}` : line))
    .join('\n')

const LOOKS_LIKE_END = /^(?:---\s*$|<\/?(?:read|modified)-files>)/

/**
 * Shortens a summary by whole sections: each section that still fits is kept, in order, so that a long one in the
 * middle does not push out the short ones after it. Where the first section does not fit, its first lines are kept.
 * @param maxTokens by our estimate
 */
export function cutAtSections(summary: string, maxTokens: number): string {
  const [first = '', ...others] = parseSections(summary).map((section) => renderSections([section]))
  const kept = [estimateTextTokens(first) <= maxTokens ? first : cutAtLines(first, maxTokens)]
  let left = maxTokens - estimateTextTokens(kept[0] ?? '')
  for (const section of others) {
    const tokens = estimateTextTokens(`\n${section}`)
    if (tokens > left) continue
    kept.push(section)
    left -= tokens
  }
  return kept.join('\n').trim()
}

function cutAtLines(text: string, maxTokens: number): string {
  const lines: string[] = []
  let left = maxTokens
  for (const line of text.split('\n')) {
    left -= estimateTextTokens(`${line}\n`)
    if (left < 0) break
    lines.push(line)
  }
  if (lines.join('').trim() !== '') return lines.join('\n')
  const characters = Math.floor((text.length * maxTokens) / estimateTextTokens(text))
  return text.slice(0, characters).replace(/[\uD800-\uDBFF]$/, '')
}

/**
 * Returns the required headings that a summary lacks. Level and indentation do not count: a model that writes `# Goal`
 * for `## Goal` has kept the section.
 * @param required headings with their marks, such as `## Goal`
 */
export function findMissingSections(summary: string, required: readonly string[]): string[] {
  const present = new Set(summary.split('\n').map((line) => headingName(line.trimStart())))
  return required.filter((heading) => !present.has(headingName(heading)))
}

/** The headings that a client's own instructions ask for. */
export interface AskedSections {
  headings: string[]
  /** True where a section may be missing, as long as others are present. */
  areOptional: boolean
}

/** oh-my-pi: "sections can be omitted if not applicable", "omit inapplicable sections" (18.2.3). */
const MAY_BE_LEFT_OUT = /\b(?:omit(?:ted)?|optional|skip|leave out|if (?:not )?applicable)\b/i

/** One heading may be an example of style; several in a row are a form. */
const MIN_HEADINGS = 3

/** Characters of placeholders, such as `## [Title]`. */
const PLACEHOLDER_MARKS = /[[\]{}<>]/

/**
 * Reads the headings that a client's prompt asks for: those after its data. Placeholders (`## [Title]`) do not count.
 * @returns no headings where the instructions set no form
 */
export const readAskedSections = (prompt: string): AskedSections => readAskedHeadings(instructionsOf(prompt))

/** Returns the headings that a client's instructions ask for. @param instructions without the data of a prompt */
export function readAskedHeadings(instructions: string): AskedSections {
  const headings = parseSections(instructions).flatMap(({ heading }) => heading?.line.trimEnd() ?? [])
  const asked = headings.filter((heading) => !PLACEHOLDER_MARKS.test(heading))
  const isForm = asked.length >= MIN_HEADINGS
  return { headings: isForm ? [...new Set(asked)] : [], areOptional: MAY_BE_LEFT_OUT.test(instructions) }
}

/**
 * Returns the text after the last closing tag of the data; empty for a prompt without tags, which mixes data and
 * instructions.
 */
function instructionsOf(prompt: string): string {
  const end = findConversation(prompt)?.end
  if (end === undefined) return ''
  // The conversation may be long, and the last closing tag cannot be inside it.
  const rest = prompt.slice(end)
  const ends = ['</conversation>', '</previous-summary>', '</additional-context>'].map((tag) => {
    const at = rest.lastIndexOf(tag)
    return at < 0 ? 0 : at + tag.length
  })
  return rest.slice(Math.max(...ends))
}

/**
 * The source of a pattern, with the flags `gm`, that matches text written by code: file tags and evidence. Checks leave
 * it out, since it is true. The block of a tag contains no second opening tag, so that unclosed tags take linear time.
 */
export const WRITTEN_BY_CODE = String.raw`<(?<tag>read-files|modified-files)>(?:(?!<\k<tag>>)[^])*?</\k<tag>>|^${HEADINGS.evidence}\n(?:- .*\n?)*`
