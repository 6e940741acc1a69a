import t from 'tap'
import { bullets, keepNewest, rankDetails } from '../../../src/model/embedded/ranked-lines.ts'

/** Returns the texts in the order in which they are left out when room is short. */
function leftOutFirst(texts: readonly string[], essential: number): { details: string[]; essentials: string[] } {
  const lines = keepNewest(bullets(texts), { kind: 'command', essential, rank: 2 })
  rankDetails(lines)
  const sorted = lines.toSorted((a, b) => b.rank - a.rank)
  const textsOf = (some: typeof lines): string[] => some.map(({ text }) => text)
  return {
    details: textsOf(sorted.filter(({ detail }) => detail !== undefined)),
    essentials: textsOf(sorted.filter(({ detail }) => detail === undefined)),
  }
}

t.test('as many of the newest statements as are essential are no details, and the oldest goes first', async (t) => {
  t.strictSame(leftOutFirst(['a', 'b', 'c'], 3), { details: [], essentials: ['- a', '- b', '- c'] })
  t.strictSame(leftOutFirst(['a', 'b', 'c', 'd'], 3), { details: ['- a'], essentials: ['- b', '- c', '- d'] })
  t.strictSame(leftOutFirst(['a', 'b'], 0), { details: ['- a', '- b'], essentials: [] })
})
