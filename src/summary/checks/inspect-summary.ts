import { estimateTextTokens } from '../../tokens/estimate-tokens.ts'
import type { Cooperative } from '../../runtime/cooperative.ts'
import { checkGrounding } from './grounding.ts'
import { checkLanguage } from './language.ts'
import type { Expectations } from './expectations.ts'
import { findMissingSections, type AskedSections } from '../sections.ts'
import { detectInjection } from './injection.ts'
import { fillTemplate, type Templates } from '../../prompt/templates.ts'

/** What the checks found of one text; a check that was not asked for is left out. */
export interface Findings {
  sections?: { missing: string[] }
  grounding?: { checked: number; unknown: string[] }
  language?: { expected: string | null; found: string | null }
  /** Tokens of the text, and the most that it may have. */
  size?: { tokens: number; limitTokens: number }
  injection?: { obeyed: string[] }
}

/** Compares a summary with what is expected of it. Linear in the sources' length. */
export function* inspectSummary(summary: string, expected: Expectations): Cooperative<Findings> {
  const { sections, sources, userTexts, untrustedTexts, size } = expected
  return {
    ...(sections === undefined ? {} : { sections: { missing: missingOf(summary, sections) } }),
    ...(sources === undefined ? {} : { grounding: yield* checkGrounding(summary, sources) }),
    ...(userTexts === undefined ? {} : { language: checkLanguage(userTexts, summary) }),
    ...(size === undefined ? {} : { size: { tokens: estimateTextTokens(summary), limitTokens: limitOf(size) } }),
    ...(untrustedTexts === undefined ? {} : { injection: { obeyed: yield* detectInjection(summary, untrustedTexts) } }),
  }
}

function missingOf(summary: string, { headings, areOptional }: AskedSections): string[] {
  const missing = findMissingSections(summary, headings)
  return areOptional && missing.length < headings.length ? [] : missing
}

/** A few headings and a quoted request are no shorter than a chat of three lines: this much is always allowed. */
const LEAST_LIMIT_TOKENS = 500

const limitOf = ({ replacedTokens, limitTokens }: NonNullable<Expectations['size']>): number =>
  Math.min(limitTokens, Math.max(replacedTokens, LEAST_LIMIT_TOKENS))

/**
 * Describes what is wrong with a summary, in the words of prompts/fault-*.md, for the model that is to repair it.
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

/** Whether a summary is written in another language than the user's, where both are known. */
const isOtherLanguage = ({ expected, found }: NonNullable<Findings['language']>): boolean =>
  expected !== null && found !== null && expected !== found

/** The beginning of a long list is enough for a repair. */
const MAX_NAMED = 40

const list = (items: readonly string[]): string =>
  items
    .slice(0, MAX_NAMED)
    .map((item) => JSON.stringify(item))
    .join(', ')

const languageNames = new Intl.DisplayNames('en', { type: 'language' })

const nameOf = (code: string | null): string => (code === null ? '' : (languageNames.of(code) ?? code))
