import { estimateTextTokens } from '../../tokens/estimate-tokens.ts'
import { checkGrounding } from './grounding.ts'
import { checkLanguage } from './language.ts'
import type { Expectations } from './expectations.ts'
import { findMissingSections, type AskedSections } from '../sections.ts'
import { detectInjection } from './injection.ts'
import { fillTemplate, type Templates } from '../../prompt/templates.ts'

/** The findings of the checks for one text; a check that was not requested is left out. */
export interface Findings {
  sections?: { missing: string[] }
  grounding?: { checked: number; unknown: string[] }
  language?: { expected: string | null; found: string | null }
  /** The tokens of the text, and their limit. */
  size?: { tokens: number; limitTokens: number }
  injection?: { obeyed: string[] }
}

/** Compares a summary with its expectations, in time linear in the length of the sources. */
export function inspectSummary(summary: string, expected: Expectations): Findings {
  const { sections, sources, userTexts, untrustedTexts, size } = expected
  return {
    ...(sections === undefined ? {} : { sections: { missing: missingOf(summary, sections) } }),
    ...(sources === undefined ? {} : { grounding: checkGrounding(summary, sources) }),
    ...(userTexts === undefined ? {} : { language: checkLanguage(userTexts, summary) }),
    ...(size === undefined ? {} : { size: { tokens: estimateTextTokens(summary), limitTokens: limitOf(size) } }),
    ...(untrustedTexts === undefined ? {} : { injection: { obeyed: detectInjection(summary, untrustedTexts) } }),
  }
}

function missingOf(summary: string, { headings, areOptional }: AskedSections): string[] {
  const missing = findMissingSections(summary, headings)
  return areOptional && missing.length < headings.length ? [] : missing
}

/** The minimum of the limit: headings and a quoted request may be longer than a chat of three lines. */
const LEAST_LIMIT_TOKENS = 500

const limitOf = ({ replacedTokens, limitTokens }: NonNullable<Expectations['size']>): number =>
  Math.min(limitTokens, Math.max(replacedTokens, LEAST_LIMIT_TOKENS))

/**
 * Describes the faults of a summary in the words of prompts/fault-*.md, for the model that repairs it.
 * @returns a sentence for each fault; an empty list where the summary needs no repair
 */
export function describeFaults(findings: Findings, templates: Templates): string[] {
  const { sections, grounding, language, size, injection } = findings
  const faults: string[] = []
  if (sections !== undefined && sections.missing.length > 0)
    faults.push(fillTemplate(templates['fault-sections'], { headings: list(sections.missing) }))
  if (grounding !== undefined && grounding.unknown.length > 0)
    faults.push(fillTemplate(templates['fault-grounding'], { facts: list(grounding.unknown) }))
  if (language !== undefined && isOtherLanguage(language))
    faults.push(
      fillTemplate(templates['fault-language'], { expected: nameOf(language.expected), found: nameOf(language.found) }),
    )
  if (size !== undefined && size.tokens > size.limitTokens)
    faults.push(fillTemplate(templates['fault-size'], { tokens: String(size.tokens), limit: String(size.limitTokens) }))
  if (injection !== undefined && injection.obeyed.length > 0)
    faults.push(fillTemplate(templates['fault-injection'], { texts: list(injection.obeyed) }))
  return faults
}

/** Whether the language of a summary differs from the user's language, where both are known. */
const isOtherLanguage = ({ expected, found }: NonNullable<Findings['language']>): boolean =>
  expected !== null && found !== null && expected !== found

/** The maximum number of items in a list: its beginning is enough for a repair. */
const MAX_NAMED = 40

const list = (items: readonly string[]): string =>
  items
    .slice(0, MAX_NAMED)
    .map((item) => JSON.stringify(item))
    .join(', ')

const languageNames = new Intl.DisplayNames('en', { type: 'language' })

const nameOf = (code: string | null): string => (code === null ? '' : (languageNames.of(code) ?? code))
