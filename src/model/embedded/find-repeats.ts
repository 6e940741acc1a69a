import { oneLine } from '../../text/shorten.ts'
import type { RankedLine } from './ranked-lines.ts'

/** Shorter sentences may be the same by chance. */
const MIN_CHARACTERS = 40

const SENTENCE_END = /(?<=[.!?。！？])\s+/

/** The kinds of details that are sentences of the agent. */
const SPOKEN = new Set(['passage', 'decision', 'document'])

/**
 * Returns the lines of an extract whose sentences other lines have too, such as a decision that is a part of the passage which
 * explains it. Of two such lines, the later one is a repeat.
 * @param decisions the lines that are decisions of the agent
 */
export function findRepeats(lines: readonly RankedLine[], decisions: readonly RankedLine[]): ReadonlySet<RankedLine> {
  const parents = new Set(lines.map(({ parent }) => parent))
  const chosen = new Set(decisions)
  const sentences = new Map(lines.map((line) => [line, sentencesOf(line)]))
  const counts = new Map<string, number>()
  for (const sentence of [...sentences.values()].flat()) counts.set(sentence, (counts.get(sentence) ?? 0) + 1)
  const repeats = new Set<RankedLine>()
  for (const line of lines.toReversed()) {
    if (parents.has(line) || (!chosen.has(line) && !SPOKEN.has(line.detail?.kind ?? ''))) continue
    const own = sentences.get(line) ?? []
    const isLong = own.some(({ length }) => length >= MIN_CHARACTERS)
    if (!isLong || own.some((sentence) => (counts.get(sentence) ?? 0) < 2)) continue
    repeats.add(line)
    for (const sentence of own) counts.set(sentence, (counts.get(sentence) ?? 0) - 1)
  }
  return repeats
}

/** Returns the sentences of a line, without the mark of an item. */
const sentencesOf = ({ text }: RankedLine): string[] =>
  oneLine(text)
    .replace(/^(?:[-*+] )?(?:\[[ x]\] )?/, '')
    .replace(/ \(said earlier; since then: [^()]{1,400}\)$/, '')
    .split(SENTENCE_END)
