import type { Fact } from '../schemas/provenance.ts'
import { escapePattern } from '../text/escape-pattern.ts'
import { edgesOf, splitAtGaps } from '../text/name-boundary.ts'

/** A place in a text, in UTF-16 units. */
export interface TextRange {
  start: number
  end: number
}

export type SearchedFact = Pick<Fact, 'text' | 'kind'>

/** How many words of a fact are searched for: more words would make the pattern long. */
const MAX_WORDS = 60

/**
 * Returns where a text has a fact of the summary; undefined if it does not have it. As in the provenance of the service, case,
 * white space and the direction of slashes do not count, a name is not found in a longer one, and of a shortened fact, the
 * longest part is searched for.
 */
export function findFact(text: string, fact: SearchedFact): TextRange | undefined {
  const [part] = splitAtGaps(fact.text).sort((a, b) => b.text.length - a.text.length)
  if (part === undefined) return undefined
  const words = part.text.split(/\s+/).slice(0, MAX_WORDS)
  const pattern = words.map((word) => escapePattern(word).replace(/\\[/\\]/g, '[\\\\/]'))
  const { before, after } = edgesOf(fact.kind, part)
  const match = new RegExp(`${before}${pattern.join('\\s+')}${after}`, 'iu').exec(text)
  return match === null ? undefined : { start: match.index, end: match.index + match[0].length }
}
