import { escapePattern } from '../../text/escape-pattern.ts'
import { headingName, newSection, type Section } from '../../text/sections.ts'
import { quoteSectionLines } from '../../text/sections.ts'
import { HEADINGS, NO_CONTENT } from '../../text/summary-headings.ts'
import { eachThatFits } from '../../text/that-fit.ts'
import type { CheckedDraft } from '../draft.ts'
import { cutAtSections } from '../cut-summary.ts'
import { trimmedSummary, withWords, WRITTEN_BY_CODE, type Summary } from '../summary.ts'
import type { Expectations, ExpectedSections } from './expectations.ts'
import { inspectSummary } from './inspect-summary.ts'

/**
 * Repairs a summary without a model: a summary that is too long is cut, missing sections are added, and
 * facts that are not in the input are marked.
 */
export function repairByCode(
  { text, sections: parsed, findings }: CheckedDraft,
  expected: Expectations,
): Pick<CheckedDraft, 'text' | 'sections' | 'findings'> {
  const { size, sections } = findings
  const isCut = size !== undefined && size.tokens > size.limitTokens
  const whole = { text, sections: parsed }
  const cut = isCut ? cutAtSections(whole, size.limitTokens) : whole
  const left = isCut ? { ...inspectSummary(cut, expected), size } : findings
  // A section that was cut off is not empty, and neither is one whose content only a model could write.
  const filled = sections?.needsModel === false ? addSections(cut, sections.missing, expected.sections) : cut
  const marked = markUnverified(filled.text, left.grounding?.unknown ?? [])
  return { ...withWords(filled, marked), findings: left }
}

/**
 * Adds missing headings to a summary, each before the next one that it has: the newest request below that of the goal,
 * and `(none)` below the others.
 */
export function addSections(
  summary: Summary,
  missing: readonly string[],
  { headings, request }: Partial<ExpectedSections> = {},
): Summary {
  const names = (headings ?? []).map(headingName)
  let { sections } = summary
  for (const heading of (headings ?? []).filter((one) => missing.includes(one))) {
    const later = new Set(names.slice(names.indexOf(headingName(heading)) + 1))
    const next = sections.findIndex((section) => section.heading !== undefined && later.has(section.heading.name))
    const added = sectionOf(heading, sections, request)
    const at = next < 0 ? sections.length : next
    if (added !== undefined)
      sections = [...endWithBlank(sections.slice(0, at)), ...endWithBlank([added]), ...sections.slice(at)]
  }
  return trimmedSummary(sections)
}

/** @returns undefined where the content is below another heading already */
function sectionOf(heading: string, sections: readonly Section[], request: string | undefined): Section | undefined {
  if (heading === HEADINGS.progress) return newSection(heading, [])
  const isPartOfProgress = heading.startsWith('### ')
  const progress = sections.find((section) => section.heading?.name === headingName(HEADINGS.progress))
  if (isPartOfProgress && progress?.lines.some((line) => line.trim() !== '') === true) return undefined
  const isGoal = heading === HEADINGS.goal || heading === HEADINGS.originalRequest
  const content = isGoal && request !== undefined ? quoteSectionLines(request) : NO_CONTENT
  return newSection(heading, content.split('\n'))
}

/** Returns sections whose last line is blank, unless there is none. */
function endWithBlank(sections: readonly Section[]): Section[] {
  const last = sections.at(-1)
  if (last === undefined) return []
  if (last.heading === undefined && last.lines.every((line) => line.trim() === '')) return sections.slice(0, -1)
  const lines = (last.lines.at(-1) ?? 'x').trim() === '' ? last.lines : [...last.lines, '']
  return [...sections.slice(0, -1), { ...last, lines }]
}

const UNVERIFIED_MARK = '(unverified)'

const QUOTE = '["\'`”]'

/** Text that stays as it is: text written by code, and fenced blocks, whose code a mark would break. */
const FENCED = /^(?:```|~~~)[^]*?^(?:```|~~~)/
const UNTOUCHED = new RegExp(`${FENCED.source}|${WRITTEN_BY_CODE}`, 'gm')

/** Marks each mention of an unknown fact, after the quotes or backticks around it. A marked mention gets no second mark. */
export function markUnverified(summary: string, unknown: readonly string[]): string {
  const longestFirst = shortEnough(unknown)
    .sort((a, b) => b.length - a.length)
    .map(escapePattern)
  if (longestFirst.length === 0) return summary
  const behind = ` ${escapePattern(UNVERIFIED_MARK)}`
  const mention = new RegExp(
    String.raw`(?<![\w/.-])(?:\./)?(?:${longestFirst.join('|')})(?![\w/…-])(?:${QUOTE}(?!${behind})|(?!${QUOTE}|${behind}))`,
    'g',
  )
  let at = 0
  const parts: string[] = []
  for (const match of summary.matchAll(UNTOUCHED)) {
    parts.push(summary.slice(at, match.index).replace(mention, `$& ${UNVERIFIED_MARK}`), match[0])
    at = match.index + match[0].length
  }
  parts.push(summary.slice(at).replace(mention, `$& ${UNVERIFIED_MARK}`))
  return parts.join('')
}

/** The maximum length of all texts in one pattern, in characters: a pattern of 64 KB does not compile any more. */
const MAX_PATTERN_CHARACTERS = 16_000

/** Returns the first texts that fit into one pattern. A summary may have an address of any length. */
const shortEnough = (texts: readonly string[]): string[] =>
  eachThatFits(texts, MAX_PATTERN_CHARACTERS, ({ length }) => length)
