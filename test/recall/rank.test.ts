import t from 'tap'
import { groupCopies } from '../../src/recall/near-copies.ts'
import type { RecalledPassage } from '../../src/recall/passage.ts'
import { parseQuery } from '../../src/recall/query.ts'
import { searchPassages } from '../../src/recall/rank.ts'

const passage = (place: number, text: string, kind: RecalledPassage['kinds'][0] = 'answer'): RecalledPassage => ({
  places: [place],
  kinds: [kind],
  lead: '',
  text,
  before: 0,
  after: 0,
})

/** The places of passages with these texts, the best first. */
const ranked = (query: string, ...passages: RecalledPassage[]): number[] =>
  searchPassages(passages, parseQuery(query))
    .hits.sort((a, b) => b.score - a.score)
    .map(({ passage: { places } }) => places[0] ?? -1)

const filler = (count: number) => Array.from({ length: count }, (_, at) => passage(100 + at, `the test number ${at}`))

t.test('a rare word counts more than a common one', async (t) => {
  t.equal(ranked('test zebra', ...filler(20), passage(1, 'a zebra is here'), passage(2, 'a test test test'))[0], 1)
})

t.test('words that stand near each other count more', async (t) => {
  const apart = `open the socket. ${'Then something else happens. '.repeat(10)} The timeout is long.`
  const near = `${'Then something else happens. '.repeat(10)} open the socket timeout is long. The end.`
  t.strictSame(ranked('socket timeout', passage(1, apart), passage(2, near)), [2, 1])
})

t.test('a request of the user comes before an output with the same words', async (t) => {
  t.strictSame(ranked('zebra', passage(1, 'one zebra', 'output'), passage(2, 'one zebra', 'request')), [2, 1])
})

t.test('near copies are one: the newest, at the place of the best', async (t) => {
  const plan = (done: string) =>
    `Plan: read the parser, write the tests, fix the lexer, run all checks, commit. Done: ${done}`
  const passages = [
    passage(1, plan('none')),
    passage(2, 'Another text about the plan of the parser.'),
    passage(3, plan('one')),
  ]
  const groups = groupCopies(searchPassages(passages, parseQuery('plan parser')).hits.sort((a, b) => b.score - a.score))
  t.strictSame(
    groups.map(({ hit, copies }) => [hit.passage.places[0], copies.map(({ places }) => places[0])]),
    [
      [2, []],
      [3, [1]],
    ],
  )
})
