import type { CheckedDraft } from '../draft.ts'
import { cutAtSections } from '../sections.ts'
import type { Expectations } from './expectations.ts'
import { inspectSummary } from './inspect-summary.ts'
import { WRITTEN_BY_CODE } from '../sections.ts'

/**
 * Repairs a summary without a model: a summary that is too long is cut at the end of a section, and facts that are not
 * in the input are marked.
 */
export function repairByCode(
  { text, findings }: CheckedDraft,
  expected: Expectations,
): Pick<CheckedDraft, 'text' | 'findings'> {
  const { size } = findings
  const isCut = size !== undefined && size.tokens > size.limitTokens
  const cut = isCut ? cutAtSections(text, size.limitTokens) : text
  const left = isCut ? { ...inspectSummary(cut, expected), size } : findings
  return { text: markUnverified(cut, left.grounding?.unknown ?? []), findings: left }
}
const MARK = '(unverified)'
const BEHIND = String.raw` \(unverified\)`
const QUOTE = '["\'`”]'

/** Text that stays as it is: text written by code, and fenced blocks, whose code a mark would break. */
const FENCED = /^(?:```|~~~)[^]*?^(?:```|~~~)/
const UNTOUCHED = new RegExp(`${FENCED.source}|${WRITTEN_BY_CODE}`, 'gm')

/**
 * Marks each mention of an unknown fact, after the quotes or backticks around it. A marked mention gets no second mark.
 */
export function markUnverified(summary: string, unknown: readonly string[]): string {
  const longestFirst = shortEnough(unknown)
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  if (longestFirst.length === 0) return summary
  const mention = new RegExp(
    String.raw`(?<![\w/.-])(?:\./)?(?:${longestFirst.join('|')})(?![\w/-])(?:${QUOTE}(?!${BEHIND})|(?!${QUOTE}|${BEHIND}))`,
    'g',
  )
  let at = 0
  const parts: string[] = []
  for (const match of summary.matchAll(UNTOUCHED)) {
    parts.push(summary.slice(at, match.index).replace(mention, `$& ${MARK}`), match[0])
    at = match.index + match[0].length
  }
  parts.push(summary.slice(at).replace(mention, `$& ${MARK}`))
  return parts.join('')
}

/** The maximum length of all texts in one pattern, in characters: a pattern of 64 KB does not compile any more. */
const MAX_PATTERN_CHARACTERS = 16_000

/** Returns the first texts that fit into one pattern. A summary may have an address of any length. */
function shortEnough(texts: readonly string[]): string[] {
  let left = MAX_PATTERN_CHARACTERS
  return texts.filter((text) => {
    if (text.length > left) return false
    left -= text.length
    return true
  })
}
