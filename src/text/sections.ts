import { NO_CONTENT } from './summary-headings.ts'

/** A Markdown heading. */
interface Heading {
  /** The whole line, as it is in the text. */
  line: string
  /** The number of its marks: 2 for `## Goal`. */
  level: number
  /** Its text without marks. */
  title: string
  /** Its title for comparisons: without case, emphasis, a colon or closing marks. */
  name: string
}

/** A heading and the lines below it, up to the next heading. The lines before the first heading are a section without one. */
export interface Section {
  heading?: Heading
  lines: readonly string[]
}

/**
 * Splits a Markdown text into sections, in linear time. Only `\n` ends a line. A heading begins in the first column,
 * since code moves a quoted line that looks like one in by a space. A fence does not hide the headings in it: some models
 * put their whole answer into one.
 * @param endsSections matches lines that end a section without being a heading: such a line begins a section without one
 * @returns sections from which `renderSections` writes exactly the same text
 */
export function parseSections(text: string, endsSections?: RegExp): Section[] {
  const sections: (Section & { lines: string[] })[] = []
  for (const line of text.split('\n')) {
    const heading = readHeading(line)
    const current = sections.at(-1)
    if (heading !== undefined) sections.push({ heading, lines: [] })
    else if (current === undefined || endsSections?.test(line) === true) sections.push({ lines: [line] })
    else current.lines.push(line)
  }
  return sections
}

/** Writes sections as one text. */
export const renderSections = (sections: readonly Section[]): string =>
  sections
    .map(linesOf)
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n')

const linesOf = ({ heading, lines }: Section): readonly string[] =>
  heading === undefined ? lines : [heading.line, ...lines]

export function readHeading(line: string): Heading | undefined {
  // Most lines are not headings: the first character is read faster than a pattern.
  const [opening, marks = ''] = (line.startsWith('#') && /^(#{1,6})\s+(?=\S)/.exec(line)) || []
  if (opening === undefined) return undefined
  const title = line.slice(opening.length).trimEnd()
  return { line, level: marks.length, title, name: nameOf(title) }
}

/** Indents each line that would begin or end a section by a space, so that it stays a quote. */
export const quoteSectionLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => (readHeading(line) !== undefined || LOOKS_LIKE_END.test(line) ? ` ${line}` : line))
    .join('\n')

const LOOKS_LIKE_END = /^(?:---\s*$|<\/?(?:read|modified)-files>)/

/** Returns the name of a heading that is given with its marks, such as `## Goal`. */
export const headingName = (heading: string): string => readHeading(heading)?.name ?? ''

/** A loop, since a pattern for the end of a text tries each place in it, and takes quadratic time. */
function nameOf(title: string): string {
  let end = title.length
  while (end > 0 && '#: \t'.includes(title.charAt(end - 1))) end -= 1
  return title.slice(0, end).replace(/[*_:]/g, '').trim().toLowerCase()
}

/**
 * Returns the lines below a heading, those of its subsections included. Where several sections have the heading, the
 * lines are those of all.
 * @param heading with marks, such as `## Goal`; the level does not count
 */
export function getSection(sections: readonly Section[], heading: string): string[] {
  const name = headingName(heading)
  const found: Section[] = []
  for (let index = 0; index < sections.length;) {
    const section = sections[index]
    const isFound = section?.heading !== undefined && section.heading.name === name
    const end = isFound ? endOf(sections, index) : index + 1
    if (isFound) for (const one of [{ lines: section.lines }, ...sections.slice(index + 1, end)]) found.push(one)
    index = end
  }
  return found.flatMap(linesOf)
}

/** Returns the index after the first section with a heading and its subsections; undefined where there is no such section. */
export function findSectionEnd(sections: readonly Section[], heading: string): number | undefined {
  const name = headingName(heading)
  const start = sections.findIndex((section) => section.heading !== undefined && section.heading.name === name)
  return start < 0 ? undefined : endOf(sections, start)
}

/** Headings of levels 1 and 2 are peers: a model may write `# Goal` and `## Progress`. */
const PEER_LEVEL = 2

function endOf(sections: readonly Section[], start: number): number {
  const level = Math.max(sections[start]?.heading?.level ?? 0, PEER_LEVEL)
  let end = start + 1
  while ((sections[end]?.heading?.level ?? 0) > level) end += 1
  return end
}

/**
 * Adds lines to the end of the first section with a heading, in the place of a `(none)`. Where there is no such section,
 * adds one.
 * @param heading with marks, such as `## Critical Context`
 * @param newSectionAt the index that a new section gets; the last one where it is left out
 */
export function appendToSection(
  sections: readonly Section[],
  heading: string,
  { lines, newSectionAt = sections.length }: { lines: readonly string[]; newSectionAt?: number | undefined },
): Section[] {
  const end = findSectionEnd(sections, heading)
  if (end === undefined) return insertSection(sections, newSectionAt, newSection(heading, lines))
  const { content, blanks } = splitTrailingBlanks(sections[end - 1]?.lines ?? [])
  const isEmpty = content.at(-1)?.trim() === NO_CONTENT
  const gap = blanks.length === 0 && end < sections.length ? [''] : blanks
  const grown = [...(isEmpty ? content.slice(0, -1) : content), ...lines, ...gap]
  return sections.map((section, index) => (index === end - 1 ? { ...section, lines: grown } : section))
}

/** Returns the section with a heading and lines, none of which is a heading. */
export function newSection(line: string, lines: readonly string[]): Section {
  const heading = readHeading(line)
  return heading === undefined ? { lines: [line, ...lines] } : { heading, lines }
}

function insertSection(sections: readonly Section[], index: number, section: Section): Section[] {
  const previous = sections[index - 1]
  const { content, blanks } = splitTrailingBlanks(previous?.lines ?? [])
  const gap = blanks.length === 0 && index < sections.length ? [''] : blanks
  // A text that begins with blank lines begins with the new section.
  const isBlank = previous === undefined || (previous.heading === undefined && content.length === 0)
  const before = isBlank ? [] : [{ ...previous, lines: [...content, ''] }]
  const added = { ...section, lines: [...section.lines, ...gap] }
  return [...sections.slice(0, Math.max(0, index - 1)), ...before, added, ...sections.slice(index)]
}

/** Splits lines into those with content, and the blank ones after them. */
export function splitTrailingBlanks(lines: readonly string[]): { content: string[]; blanks: string[] } {
  let end = lines.length
  while (end > 0 && (lines[end - 1] ?? '').trim() === '') end -= 1
  return { content: lines.slice(0, end), blanks: lines.slice(end) }
}
