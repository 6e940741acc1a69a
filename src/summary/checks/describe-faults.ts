import { fillTemplate } from '../../prompt/fill-template.ts'
import type { Templates } from '../../prompt/load-templates.ts'
import type { Findings } from './inspect-summary.ts'

/** Long lists tell no more than their beginning. */
const MAX_NAMED = 40

/**
 * Says what is wrong with a summary, in the words of prompts/fault-*.md, for the model that is to mend it.
 * @returns a sentence for each fault; none where the summary may stand as it is
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

/** Tells whether a summary is written in another language than the user's, where both can be told. */
export const isOtherLanguage = ({ expected, found }: NonNullable<Findings['language']>): boolean =>
  expected !== null && found !== null && expected !== found

const list = (items: readonly string[]): string =>
  items
    .slice(0, MAX_NAMED)
    .map((item) => JSON.stringify(item))
    .join(', ')

const languageNames = new Intl.DisplayNames('en', { type: 'language' })

const nameOf = (code: string | null): string => (code === null ? '' : (languageNames.of(code) ?? code))
