import t from 'tap'
import { editDistance, nearName } from '../../src/text/near-name.ts'

t.test('a misspelt name is near a known one, another name is not', async (t) => {
  const known = ['entries', 'messages', 'session']
  const near = (name: string) => nearName(name, known)
  t.equal(near('message'), 'messages')
  t.equal(near('mesages'), 'messages')
  t.equal(near('Messages'), 'messages')
  t.equal(near('entreis'), 'entries')
  t.equal(near('sessions'), 'session')
  t.equal(near('history'), undefined)
  t.equal(near(''), undefined)
  t.equal(near('m'.repeat(1_000_000)), undefined)
})

t.test('a short name is near another one only with a single fault, and exchanged letters are one', async (t) => {
  const known = ['part', 'query', 'keepRecentTokens']
  t.same(
    ['aprt', 'parts', 'qurey', 'qeury', 'KEEP_RECENT_TOKENS'].map((name) => nearName(name, known)),
    ['part', 'part', 'query', 'query', 'keepRecentTokens'],
  )
  t.same(
    ['page', 'p', 'quiet', 'qeuyr', 'id', 'recentTokens'].map((name) => nearName(name, known)),
    Array.from({ length: 6 }, () => undefined),
  )
})

t.test('of two known names, the nearest one is meant', async (t) => {
  t.same(
    ['prepare', 'PREPARED', 'prepareat'].map((name) => nearName(name, ['prepareAt', 'prepared'])),
    ['prepared', 'prepared', 'prepareAt'],
  )
})

t.test('the distance of two names is symmetric, and counts each change once', async (t) => {
  const pairs: [string, string, number][] = [
    ['', 'abc', 3],
    ['abc', 'abc', 0],
    ['abc', 'acb', 1],
    ['abcd', 'badc', 2],
    ['ca', 'abc', 3],
    ['kitten', 'sitting', 3],
  ]
  for (const [a, b, distance] of pairs)
    t.same([editDistance(a, b), editDistance(b, a)], [distance, distance], `${a} ${b}`)
})
