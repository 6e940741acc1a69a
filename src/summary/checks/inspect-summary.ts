import { estimateTextTokens } from '../../plan/estimate-tokens.ts'
import type { Steps } from '../../steps.ts'
import { checkGrounding } from './check-grounding.ts'
import { checkLanguage } from './check-language.ts'
import type { Expectations } from './expectations.ts'
import { findMissingSections } from './find-missing-sections.ts'
import { findObeyedOrders } from './find-obeyed-orders.ts'
import type { AskedSections } from './read-asked-sections.ts'

/** What the checks found of one text; a check that was not asked for is left out. */
export interface Findings {
  sections?: { missing: string[] }
  grounding?: { checked: number; unknown: string[] }
  language?: { expected: string | null; found: string | null }
  /** Tokens of the text, and the most that it may have. */
  size?: { tokens: number; limitTokens: number }
  injection?: { obeyed: string[] }
}

/** A few headings and a quoted request are no shorter than a chat of three lines: this much is always allowed. */
const LEAST_LIMIT_TOKENS = 500

/** Holds a summary against what is expected of it. Linear in the sources' length. */
export function* inspectSummary(summary: string, expected: Expectations): Steps<Findings> {
  const { sections, sources, userTexts, foreignTexts, size } = expected
  return {
    ...(sections === undefined ? {} : { sections: { missing: missingOf(summary, sections) } }),
    ...(sources === undefined ? {} : { grounding: yield* checkGrounding(summary, sources) }),
    ...(userTexts === undefined ? {} : { language: checkLanguage(userTexts, summary) }),
    ...(size === undefined ? {} : { size: { tokens: estimateTextTokens(summary), limitTokens: limitOf(size) } }),
    ...(foreignTexts === undefined ? {} : { injection: { obeyed: yield* findObeyedOrders(summary, foreignTexts) } }),
  }
}

function missingOf(summary: string, { headings, areOptional }: AskedSections): string[] {
  const missing = findMissingSections(summary, headings)
  return areOptional && missing.length < headings.length ? [] : missing
}

const limitOf = ({ replacedTokens, limitTokens }: NonNullable<Expectations['size']>): number =>
  Math.min(limitTokens, Math.max(replacedTokens, LEAST_LIMIT_TOKENS))
