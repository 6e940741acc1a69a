import { fillTemplate, type Templates } from '../../prompt/templates.ts'
import { headingName } from '../../text/sections.ts'
import { estimateTextTokens } from '../../tokens/estimate-tokens.ts'
import { summaryLimitTokens } from '../../plan/settings.ts'
import { findMissingSections, type Summary } from '../summary.ts'
import type { Expectations, ExpectedSections } from './expectations.ts'
import { checkGrounding } from './grounding.ts'

/** The findings of the checks for one text; a check that was not requested is left out. */
export interface Findings {
  /** The missing headings; `needsModel` if code cannot write all that belongs below them. */
  sections?: { missing: string[]; needsModel: boolean }
  grounding?: { checked: number; unknown: string[] }
  size?: { tokens: number; limitTokens: number }
}

/** Compares a summary with its expectations, in time linear in the length of the sources. */
export function inspectSummary(summary: Summary, expected: Expectations): Findings {
  const { text } = summary
  const { sections, sources, size } = expected
  return {
    ...(sections === undefined ? {} : { sections: inspectSections(summary, sections) }),
    ...(sources === undefined ? {} : { grounding: checkGrounding(text, sources) }),
    ...(size === undefined
      ? {}
      : {
          size: {
            tokens: estimateTextTokens(text),
            limitTokens: summaryLimitTokens(size.replacedTokens, size.limitTokens),
          },
        }),
  }
}

/** A summary without this share of its headings does not have the form that was asked for. */
const FORMLESS_SHARE = 0.5

function inspectSections(summary: Summary, { headings, areOptional, needsModel }: ExpectedSections) {
  const missing = findMissingSections(summary, headings)
  if (missing.length === 0 || (areOptional && missing.length < headings.length))
    return { missing: [], needsModel: false }
  const names = new Set(missing.map(headingName))
  const required = new Set(headings.map(headingName))
  const isMissing = (group: readonly string[]): boolean => {
    const wanted = group.map(headingName).filter((name) => required.has(name))
    return wanted.length > 0 && wanted.every((name) => names.has(name))
  }
  const isFormless = missing.length >= headings.length * FORMLESS_SHARE
  return { missing, needsModel: isFormless || needsModel?.(isMissing) === true }
}

/**
 * Describes those faults of a summary that only a model can repair, in the words of prompts/fault-*.md. Code fixes the
 * others: it adds empty sections, and marks unknown facts.
 * @returns a sentence for each fault; an empty list where the summary needs no call
 */
export function describeFaults(findings: Findings, templates: Templates): string[] {
  const { sections, size } = findings
  const faults: string[] = []
  if (sections?.needsModel === true)
    faults.push(fillTemplate(templates['fault-sections'], { headings: list(sections.missing) }))
  if (size !== undefined && size.tokens > size.limitTokens)
    faults.push(fillTemplate(templates['fault-size'], { tokens: String(size.tokens), limit: String(size.limitTokens) }))
  return faults
}

/** The maximum number of items in a list: its beginning is enough for a repair. */
const MAX_NAMED = 40

const list = (items: readonly string[]): string =>
  items
    .slice(0, MAX_NAMED)
    .map((item) => JSON.stringify(item))
    .join(', ')
