import t, { type Test } from 'tap'
import { openTools, type Call } from './open-client.ts'
import { calls, compaction, openDesk, returns, says, user, writePi } from './sessions.ts'

const ID = '0199c0de-0000-7000-8000-000000000001'

const openSession = async (t: Test, answers: readonly string[], earlierSummary?: string): Promise<Call> => {
  const desk = openDesk(t)
  const earlier = earlierSummary === undefined ? [] : [compaction(earlierSummary, 'e1')]
  const all = [user('Begin.'), ...answers.map(says), ...earlier]
  const entries = [...all, compaction('Done.', `e${all.length + 1}`)]
  writePi({ ...desk, id: ID, entries })
  return openTools(desk)
}

/** Returns the ids of the passages of an answer, and its last line. */
const shown = (text: string) => [[...text.matchAll(/^\[id (\w+)\]/gm)].map(([, id]) => id), text.split('\n').at(-1)]

t.test('passages that match much less than the best wait for the next page, but four are shown', async (t) => {
  const others = Array.from(
    { length: 6 },
    (_, at) => `The stripes of number ${at} are long, ${'and so on, '.repeat(20)}`,
  )
  const call = await openSession(t, ['The zebra has stripes.', 'A zebra.', ...others])
  const ask = async (args: object) =>
    shown((await call('recall', { query: 'zebra stripes', session: ID, ...args })).text)
  const more = 'There are more passages, which match much less: call again with "offset": 4.'
  t.strictSame(await ask({}), [['e2', 'e3', 'e4', 'e5'], more])
  t.strictSame(await ask({ offset: 4 }), [['e6', 'e7', 'e8', 'e9'], `| ${others[5]?.trim()}`])
  const [ids] = await ask({ order: 'oldest' })
  t.strictSame(ids, ['e2'], 'in the order of time, what has all words')
})

t.test('of passages after the third, less is shown around what matches', async (t) => {
  const filler = Array.from({ length: 12 }, (_, at) => `Some words about another matter, number ${at}.`).join('\n')
  const answers = Array.from(
    { length: 5 },
    (_, at) => `${filler}\nzebra ${at}\n${filler.replaceAll('matter', 'subject')}`,
  )
  const call = await openSession(t, answers)
  const { text } = await call('recall', { query: 'zebra', session: ID })
  const blocks = text.split('\n[id ').slice(1)
  t.strictSame(
    blocks.map((block) => [
      /zebra \d/.test(block),
      block.includes('matter, number 0.'),
      /\(… \d+ characters\)/.test(block),
    ]),
    [0, 1, 2].map(() => [true, true, false]).concat([3, 4].map(() => [true, false, true])),
  )
})

t.test('in the order of time, words about two things find both, also if only a summary has all of them', async (t) => {
  const words = [
    'I close the bead.',
    'I read the log.',
    'The commit is refused.',
    'The commit is made, and the log closed.',
  ]
  const call = await openSession(t, words, 'I close the bead, and the commit is refused.')
  const ask = async (query: string) => shown((await call('recall', { query, session: ID, order: 'oldest' })).text)[0]
  t.strictSame(await ask('close bead commit'), ['e2', 'e5', 'e6'])
  t.strictSame(await ask('commit'), ['e4', 'e5', 'e6'])
  t.strictSame(await ask('bead refused'), ['e2', 'e4', 'e6'])
})

t.test('a list of failures has each once, with its first error and its end, however long its output is', async (t) => {
  const desk = openDesk(t)
  const log = (at: number) =>
    Array.from({ length: 150 }, (_, line) => (line === 40 ? `Error: cannot read ${at}` : `some words of step ${line}`))
  const runs = [0, 1, 2, 3].flatMap((at) => [
    calls(`c${at}`, 'bash', { command: `make part${at}` }),
    returns(`c${at}`, `${log(at).join('\n')}\nmake failed`, true),
  ])
  writePi({ ...desk, id: ID, entries: [user('Begin.'), ...runs] })
  const call = await openTools({ ...desk, name: 'pi' })
  for (const [order, ids] of [
    ['oldest', ['e2', 'e4', 'e6', 'e8']],
    ['newest', ['e8', 'e6', 'e4', 'e2']],
  ] as const) {
    const { text } = await call('recall', { kinds: ['failure'], order })
    t.strictSame(shown(text)[0], ids)
    t.equal((text.match(/Error: cannot read \d/g) ?? []).length, 4)
    t.ok(text.endsWith('| make failed'))
  }
  t.match(
    (await call('recall', { kinds: ['output'], order: 'oldest' })).text,
    '| some words of step 0\n',
    'outputs alone',
  )
})
