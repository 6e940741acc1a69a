import {
  appendToSection,
  findSectionEnd,
  getSection,
  headingName,
  newSection,
  parseSections,
  renderSections,
  type Section,
} from '../text/sections.ts'
import {
  GOAL_LABELS,
  HEADINGS,
  NO_PRIOR_HISTORY,
  TURN_CONTEXT_LABEL,
  TURN_CONTEXT_NOTE,
} from '../text/summary-headings.ts'

/** A summary, as plain data: its text is parsed once, and what code adds changes its sections. */
export interface Summary {
  text: string
  sections: readonly Section[]
}

/** Lines that begin text written by code: the context of a split turn, and file tags. */
const ENDS_SECTIONS = /^(?:---|<(?:read|modified)-files>)$/

export const readSummary = (text: string): Summary => ({ text, sections: parseSections(text, ENDS_SECTIONS) })

/** Returns the summary that has some sections. */
export const summaryOf = (sections: readonly Section[]): Summary => ({ text: renderSections(sections), sections })

/** Returns a summary with other words in its lines. @param text its text, with as many lines as before */
export function withWords({ sections }: Summary, text: string): Summary {
  const lines = text.split('\n')
  let at = 0
  const changed = sections.map((section) => {
    const line = section.heading && (lines[at++] ?? '')
    const below = lines.slice(at, (at += section.lines.length))
    return line === undefined ? { lines: below } : newSection(line, below)
  })
  return { text, sections: changed }
}

export const EMPTY_SUMMARY: Summary = { text: '', sections: [] }

/**
 * Adds lines to the end of a section. Where there is no such section, adds it after the section `after` if the summary
 * has that one, else after all sections that the model wrote.
 * @param heading with its marks, such as `## Critical Context`
 */
export function insertInSection(
  { sections }: Summary,
  heading: string,
  { lines, after }: { lines: readonly string[]; after?: string },
): Summary {
  const behind = after === undefined ? undefined : findSectionEnd(sections, after)
  const newSectionAt = behind ?? endOfModelSections(sections)
  return summaryOf(withoutBlankStart(appendToSection(sections, heading, { lines, newSectionAt })))
}

function endOfModelSections(sections: readonly Section[]): number {
  const index = sections.findIndex(
    (section) => isEvidence(section) || (section.heading === undefined && ENDS_SECTIONS.test(section.lines[0] ?? '')),
  )
  return index < 0 ? sections.length : index
}

/** Whether a section has the exact heading that code writes for evidence: a model may write a similar one. */
const isEvidence = ({ heading }: Section): boolean => heading?.line.trimEnd() === HEADINGS.evidence

/** Returns sections without blank lines before their first text. */
function withoutBlankStart(sections: readonly Section[]): readonly Section[] {
  const [first, ...others] = sections
  if (first === undefined || first.heading !== undefined) return sections
  const start = first.lines.findIndex((line) => line.trim() !== '')
  return start < 0 ? withoutBlankStart(others) : [{ lines: first.lines.slice(start) }, ...others]
}

/** Returns sections without blank lines after their last text. */
function withoutBlankEnd(sections: readonly Section[]): readonly Section[] {
  const last = sections.at(-1)
  if (last === undefined) return sections
  const lines = last.lines.slice(0, last.lines.findLastIndex((line) => line.trim() !== '') + 1)
  const others = sections.slice(0, -1)
  if (lines.length === 0 && last.heading === undefined) return withoutBlankEnd(others)
  return [...others, { ...last, lines: lines.map((line, index) => (index < lines.length - 1 ? line : line.trimEnd())) }]
}

/** Returns a summary of sections without blank lines around them. */
export const trimmedSummary = (sections: readonly Section[]): Summary =>
  summaryOf(withoutBlankEnd(withoutBlankStart(sections)))

/**
 * Takes the sections with headings that only code writes out of a summary.
 * @param readers by headings with their marks, in exactly this spelling; each reads the lines of a section, and returns
 *   those that code did not write: they stay in the summary
 * @returns the same summary where there is no such section
 */
export function takeSections(
  summary: Summary,
  readers: ReadonlyMap<string, (lines: readonly string[]) => readonly string[]>,
): Summary {
  const readerOf = ({ heading }: Section) => readers.get(heading?.line.trimEnd() ?? '')
  if (!summary.sections.some(readerOf)) return summary
  const others: (Section & { lines: string[] })[] = []
  for (const section of summary.sections) {
    const reader = readerOf(section)
    const previous = others.at(-1)
    if (reader === undefined) others.push({ ...section, lines: [...section.lines] })
    else if (previous === undefined) others.push({ lines: [...reader(section.lines)] })
    else for (const line of reader(section.lines)) previous.lines.push(line)
  }
  return trimmedSummary(withSingleBlanks(others))
}

/** Returns sections with one empty line in the place of several. */
const withSingleBlanks = (sections: readonly Section[]): Section[] => {
  let previous = ''
  return sections.map((section) => {
    if (section.heading !== undefined) previous = section.heading.line
    const lines = section.lines.filter((line) => {
      const isKept = line !== '' || previous !== ''
      previous = line
      return isKept
    })
    return { ...section, lines }
  })
}

/** Returns the lines of all sections with a heading: the summary of a split turn may have the section twice. */
export const linesInSection = ({ sections }: Summary, heading: string): string[] => getSection(sections, heading)

/**
 * Returns the required headings that a summary lacks. Level and indentation do not count: a model that writes `# Goal`
 * for `## Goal` has kept the section.
 * @param required headings with their marks, such as `## Goal`
 */
export function findMissingSections({ text }: Summary, required: readonly string[]): string[] {
  const present = new Set(text.split('\n').map((line) => headingName(line.trimStart())))
  return required.filter((heading) => !present.has(headingName(heading)))
}

/**
 * The source of a pattern, with the flags `gm`, that matches text written by code: file tags and evidence. Checks leave
 * it out, since it is true. The block of a tag contains no second opening tag, so that unclosed tags take linear time.
 */
export const WRITTEN_BY_CODE = String.raw`<(?<tag>read-files|modified-files)>(?:(?!<\k<tag>>)[^])*?</\k<tag>>|^${HEADINGS.evidence}\n(?:(?:  )?- .*\n?)*`

interface MergedTexts {
  history?: Summary | undefined
  turnPrefix?: Summary | undefined
}

/** Returns the texts of a summary as one. Without new history the previous summary stays unchanged. */
export function mergeTexts(
  { history, turnPrefix }: MergedTexts,
  { previousSummary }: { previousSummary?: Summary | undefined },
): string {
  const before = (history ?? previousSummary)?.text ?? NO_PRIOR_HISTORY
  return turnPrefix === undefined ? before : mergeTurnContext(before, turnPrefix.text)
}

/** Joins the two summaries of a split turn (planning rule 8). The newest request is then that of the turn. */
function mergeTurnContext(history: string, turnPrefix: string): string {
  const older = history.replace(`\n${GOAL_LABELS.newest}\n`, `\n${GOAL_LABELS.before}\n`)
  return `${older}\n\n---\n\n${TURN_CONTEXT_LABEL}\n${TURN_CONTEXT_NOTE}\n\n${turnPrefix}`
}
