import t from 'tap'
import { groupCopies } from '../../src/recall/near-copies.ts'
import type { RecalledPassage } from '../../src/recall/passage.ts'
import { MAX_PHRASES, MAX_TERMS, parseQuery } from '../../src/recall/query.ts'
import { searchPassages } from '../../src/recall/rank.ts'
import { splitPassage } from '../../src/recall/split-whole.ts'

const passage = (place: number, text: string, kind: RecalledPassage['kinds'][0] = 'answer'): RecalledPassage => ({
  places: [place],
  unit: place,
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

/** What a call has returned. */
const returned = (place: number, call: string, output: string): RecalledPassage => ({
  ...passage(place, `${call}\n\n${output}`, 'call'),
  kinds: ['call', 'output'],
  call,
})

t.test('near copies are one: the newest, at the place of the best', async (t) => {
  const plan = (done: string) =>
    `Plan: read the parser, write the tests, fix the lexer, run all checks, commit. Done: ${done}`
  const passages = [
    returned(1, '$ cat plan.md', plan('none')),
    passage(2, 'Another text about the plan of the parser.'),
    returned(3, '$ cat plan.md', plan('one')),
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
    const run = returned(place, '$ npm test', `${TESTS} ${hasFailed ? 'wrong' : 'right'}`)
    return { ...run, kinds: hasFailed ? ['failure', 'call', 'output'] : ['call', 'output'] }
  })
  t.strictSame(shown('npm test', ...runs), [
    [1, 0],
    [3, 2],
  ])
})

t.test('a short output that a long one repeats among other words is no near copy of it', async (t) => {
  const long = `${TESTS} right. ${Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ')}`
  t.strictSame(shown('pool', returned(1, '$ npm test', `${TESTS} right.`), returned(2, '$ npm test', long)), [[1], [2]])
})

t.test('a passage with another word of the query is no near copy', async (t) => {
  const [wrong, right] = ['wrong', 'right'].map((word, at) => returned(at + 1, '$ npm test', `${TESTS} ${word}`)) as [
    RecalledPassage,
    RecalledPassage,
  ]
  t.strictSame(shown('pool wrong', wrong, right), [[1], [2]])
  t.strictSame(shown('pool', wrong, right), [[2, 1]])
})

t.test('only outputs of an equal call are near copies, of whatever kind the call is', async (t) => {
  const output = `${TESTS} right`
  t.strictSame(
    shown(
      'pool',
      returned(1, '$ npm test', output),
      returned(2, '$ npm test -- --shard 2', output),
      returned(3, 'read\npath: a.ts', output),
      returned(4, '$ npm test', `${output}.`),
      passage(5, output, 'output'),
      passage(6, `${output}.`, 'output'),
      returned(7, 'read\npath: b.ts', output),
    ),
    [[4, 1], [2], [3], [5], [6], [7]],
  )
})

t.test('parts of one output are never copies of each other', async (t) => {
  const part = (word: string): RecalledPassage => ({
    ...returned(1, '$ npm test', `${TESTS} ${word}`),
    kinds: ['output'],
  })
  t.strictSame(shown('pool', part('right'), part('left')), [[1], [1]])
})

for (const kind of ['request', 'answer', 'thinking'] as const)
  t.test(`texts of the kind ${kind} that differ in a number or a word are two, and equal ones are one`, async (t) => {
    const said = (place: number, seconds: string) =>
      passage(place, `Set the timeout of the client in src/http/client.ts to ${seconds} for all that we send.`, kind)
    const all = [said(1, '30 seconds'), said(2, '60 seconds'), said(3, '30  Seconds')]
    t.strictSame(shown('timeout', ...all), [[3, 1], [2]])
  })

for (const kind of ['edit', 'commit'] as const)
  t.test(`calls of the kind ${kind} are copies only if they are equal, with the same file or part`, async (t) => {
    const made = (place: number, seconds: string, lead = 'edit src/a.ts'): RecalledPassage => ({
      ...returned(place, 'edit', `old text: the timeout of the pool is ${seconds} for all, new text: none at all`),
      kinds: [kind, 'call'],
      lead,
    })
    const all = [made(1, '30 s'), made(2, '60 s'), made(3, '30 S'), made(4, '30 s', 'edit src/b.ts'), made(5, '30 s')]
    t.strictSame(shown('timeout', ...all), [[5, 1], [2], [3], [4]])
  })

t.test('a text that two kinds have in common is two passages', async (t) => {
  t.strictSame(shown('yes', passage(1, 'Yes', 'request'), passage(2, 'Yes', 'answer')), [[1], [2]])
})

t.test('a summary that nearly repeats the one before is its near copy', async (t) => {
  const [first, second] = ['one', 'two'].map((word, at) => passage(at + 1, `${TESTS} ${word}`, 'summary')) as [
    RecalledPassage,
    RecalledPassage,
  ]
  t.strictSame(shown('pool', first, second), [[2, 1]])
})

/** The passages of one text that is cut into parts. */
const partsOf = (text: string): RecalledPassage[] =>
  splitPassage({ places: [0], unit: 0, kinds: ['output'], lead: '' }, text)

t.test('a word or a phrase over the end of a part is found, once', async (t) => {
  const words = Array.from({ length: 600 }, (_, at) => `word${String(at).padStart(4, '0')}`)
  for (const [text, space] of [
    [words.join(''), ''],
    [words.join(' '), ' '],
    [words.join('\n'), '\n'],
  ] as const)
    for (const [at, word] of words.slice(1).entries()) {
      const before = words[at] ?? ''
      // A word of a text without spaces begins at a boundary that only its number makes.
      const query = space === '' ? word : `"${before} ${word}"`
      const { hits, unknownTerms } = searchPassages(partsOf(text), parseQuery(query))
      t.strictSame(unknownTerms, [], query)
      t.equal(hits.length, 1, query)
    }
})

t.test('a message has all words if its parts have them together; so many passages have them alone', async (t) => {
  const { hits } = searchPassages(partsOf(`alpha ${'. '.repeat(1400)} omega`), parseQuery('alpha omega'))
  t.strictSame(
    hits.map(({ hasAll, isInWhole }) => [hasAll, isInWhole]),
    [
      [false, true],
      [false, true],
    ],
  )
})

t.test('each of as many words and phrases as a query may have is told from the others', async (t) => {
  const words = Array.from({ length: MAX_TERMS }, (_, at) => `${String.fromCharCode(97 + at)}word`)
  const phrases = Array.from({ length: MAX_PHRASES }, (_, at) => `${String.fromCharCode(97 + at)} phrase`)
  const query = parseQuery(`${words.join(' ')} ${phrases.map((phrase) => `"${phrase}"`).join(' ')}`)
  const parts = [...words, ...phrases]
  const texts = [parts, ...parts.map((one) => parts.filter((other) => other !== one))].map((some) => some.join('. '))
  const { hits } = searchPassages(
    texts.map((text, at) => passage(at, text)),
    query,
  )
  t.strictSame(
    hits.filter(({ hasAll }) => hasAll).map(({ passage: { places } }) => places[0]),
    [0],
  )
  t.equal(hits.length, 1 + MAX_TERMS + MAX_PHRASES)
})
