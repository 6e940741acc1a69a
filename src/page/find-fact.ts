import type { Fact } from '../schemas/provenance.ts'
import { NAME_CHARACTER, NAME_KINDS } from '../text/name-boundary.ts'

/** A place in a text, in UTF-16 units. */
export interface TextRange {
  start: number
  end: number
}

/** What is searched for. */
export type SearchedFact = Pick<Fact, 'text' | 'kind'>

/** What stands for the rest of a shortened text, and for what varies in it, as in the provenance of the service. */
const GAPS = /\.{3}|…|<[^<>]{1,40}>|\[redacted:[a-z-]{1,40}\]/

/** Words of a fact that are searched for: more would make the pattern long. */
const MAX_WORDS = 60

/**
 * Returns where a text has a fact of the summary; undefined if it does not have it. As in the provenance of the service, case,
 * white space and the direction of slashes do not count, a name is not found in a longer one, and of a shortened fact, the
 * longest part is searched for.
 */
export function findFact(text: string, fact: SearchedFact): TextRange | undefined {
  const [part = ''] = fact.text.split(GAPS).sort((a, b) => b.length - a.length)
  const words = part.trim().split(/\s+/).slice(0, MAX_WORDS)
  if (words[0] === '') return undefined
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/\\[/\\]/g, '[\\\\/]'))
  const edges = NAME_KINDS.has(fact.kind) ? [`(?<!${NAME_CHARACTER})`, `(?!${NAME_CHARACTER})`] : ['', '']
  const match = new RegExp(edges.join(pattern.join('\\s+')), 'iu').exec(text)
  return match === null ? undefined : { start: match.index, end: match.index + match[0].length }
}
