import type { RecallKind } from '../schemas/recall-kinds.ts'
import type { Matches } from './find-matches.ts'
import type { RecalledPassage } from './passage.ts'

/** Of these kinds, only what was called counts: what it has returned is an `output`. */
const CALLED: ReadonlySet<RecallKind> = new Set(['call', 'edit'])

/**
 * Returns the matches of a passage that count for some of its kinds; undefined if none do. An output is found by its call too, which
 * says what it is the output of. A call is not found by its output: otherwise no search could show that a command was never run.
 */
export function matchesOfKinds(
  { outputAt, lead }: RecalledPassage,
  matches: Matches,
  kinds: readonly RecallKind[],
): Matches | undefined {
  if (outputAt === undefined || !kinds.every((kind) => CALLED.has(kind))) return matches
  const end = outputAt + (lead === '' ? 0 : lead.length + 1)
  const terms = new Map<number, { at: number[]; quality: number }>()
  for (const [index, { at, quality }] of matches.terms) {
    const ofCall = at.filter((place) => place < end)
    if (ofCall.length > 0) terms.set(index, { at: ofCall, quality })
  }
  const phrases = new Map([...matches.phrases].filter(([, place]) => place < end))
  return terms.size + phrases.size === 0 ? undefined : { terms, phrases }
}
