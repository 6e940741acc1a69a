import type { Steps } from '../../steps.ts'
import type { CheckedDraft } from '../check-draft.ts'
import { cutAtSections } from './cut-at-sections.ts'
import type { Expectations } from './expectations.ts'
import { inspectSummary } from './inspect-summary.ts'
import { markUnverified } from './mark-unverified.ts'

/**
 * Mends what code can mend: a summary that is too long ends at a section's end, and facts that stand nowhere in the
 * input are marked.
 */
export function* mendByCode(
  { text, findings }: CheckedDraft,
  expected: Expectations,
): Steps<Pick<CheckedDraft, 'text' | 'findings'>> {
  const { size } = findings
  const isCut = size !== undefined && size.tokens > size.limitTokens
  const cut = isCut ? cutAtSections(text, size.limitTokens) : text
  const left = isCut ? { ...(yield* inspectSummary(cut, expected)), size } : findings
  return { text: markUnverified(cut, left.grounding?.unknown ?? []), findings: left }
}
