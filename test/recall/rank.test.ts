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

/** The places of passages that are shown for a query, oldest first, each with those of its near copies. */
const shown = (query: string, ...passages: RecalledPassage[]) =>
  groupCopies(searchPassages(passages, parseQuery(query)).hits).map(({ hit, copies }) => [
    ...hit.passage.places,
    ...copies.flatMap(({ places }) => places),
  ])

const TESTS = 'run in /home/me/app: a.test.ts 12, b.test.ts 9, c.test.ts 30, pool.test.ts: size under load is'

t.test('a command that has failed and the same one that has passed later are two', async (t) => {
  const runs = [true, true, false, false].map((hasFailed, place): RecalledPassage => {
    const run = passage(place, `$ npm test\n\n${TESTS} ${hasFailed ? 'wrong' : 'right'}`)
    return { ...run, kinds: hasFailed ? ['failure', 'call', 'output'] : ['call', 'output'] }
  })
  t.strictSame(shown('npm test', ...runs), [
    [1, 0],
    [3, 2],
  ])
})

t.test('a short passage that a long one repeats among other words is no near copy of it', async (t) => {
  const long = passage(2, `${TESTS} right. ${Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ')}`)
  t.strictSame(shown('pool', passage(1, `${TESTS} right.`), long), [[1], [2]])
})

t.test('a passage with another word of the query is no near copy', async (t) => {
  const [wrong, right] = [passage(1, `${TESTS} wrong`, 'output'), passage(2, `${TESTS} right`, 'output')]
  t.strictSame(shown('pool wrong', wrong, right), [[1], [2]])
  t.strictSame(shown('pool', wrong, right), [[2, 1]])
})

t.test('requests of the user that differ in a number or a word are two, and equal ones are one', async (t) => {
  const request = (place: number, seconds: string) =>
    passage(place, `Set the timeout of the client in src/http/client.ts to ${seconds} for all that we send.`, 'request')
  const requests = [request(1, '30 seconds'), request(2, '60 seconds'), request(3, '30  Seconds')]
  t.strictSame(shown('timeout', ...requests), [[3, 1], [2]])
})
