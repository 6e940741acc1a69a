import type { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { CutStore, type StoredCut } from '../../../src/model/sharing/cut-store.ts'
import { writeSummaryMessage } from '../../../src/agents/own-summary.ts'
import { estimateTextTokens } from '../../../src/tokens/estimate-tokens.ts'
import { connectToRedis, countErrors } from '../../support/connect-redis.ts'
import { SKIP_WITHOUT_REDIS, startRedis } from '../../support/start-redis.ts'

const tokensOf = (summary: string): number => estimateTextTokens(writeSummaryMessage(summary))
const cutOf = (summary: string): StoredCut => ({ state: 'ready', summary, tokens: tokensOf(summary), model: 'm' })
const CUT = cutOf('S')
const REDIS = { skip: SKIP_WITHOUT_REDIS }

async function openReplica(t: Test, url: string) {
  const { client } = await connectToRedis(t, url)
  const { onError, errors } = countErrors()
  return { client, store: new CutStore({ redis: client, onError, pendingMs: 60_000 }), errors }
}

t.test('a cut is claimed once, and free again once it is released', async (t) => {
  const store = new CutStore({ onError: () => undefined, pendingMs: 60_000 })
  t.same([await store.claim('k'), await store.claim('k')], [true, false])
  store.release('k')
  t.equal(await store.claim('k'), true)
  store.put('k', CUT)
  t.same([store.get('k'), await store.claim('k')], [CUT, false])
})

t.test('the texts in this process have a limit: those that were used longest ago are removed first', async (t) => {
  const store = new CutStore({ onError: () => undefined, pendingMs: 60_000, maxBytes: 1000 })
  for (const key of ['a', 'b', 'c', 'd']) store.put(key, CUT)
  t.same([store.get('a'), store.get('d'), store.count()], [undefined, CUT, 3])
})

t.test('replicas share cuts and claims, and what one has returned counts for all', REDIS, async (t) => {
  const { url } = await startRedis(t)
  const [one, other] = [await openReplica(t, url), await openReplica(t, url)]
  t.same([await one.store.claim('k'), await other.store.claim('k')], [true, false])
  one.store.put('k', CUT)
  await one.client.ping()
  await other.store.fetch(['k', 'unknown'])
  t.same(other.store.get('k'), CUT)
  other.store.put('k', { ...CUT, state: 'active', summary: 'of the other one' })
  await other.client.ping()
  await one.store.fetch(['k'])
  t.match(one.store.get('k'), { state: 'active', summary: 'of the other one' })
  t.same([one.errors(), other.errors()], [0, 0])
})

t.test('a bad value in Redis is counted, and hides no other value of the same answer', async (t) => {
  const values = ['{', 'null', '7', '{"state":"ready","summary":7}', JSON.stringify(CUT), null]
  const keys = values.map((_, index) => `k${index}`)
  const redis = { mget: async () => values } as unknown as Redis
  const { onError, errors } = countErrors()
  const store = new CutStore({ redis, onError, pendingMs: 60_000 })
  await store.fetch(keys)
  t.same([keys.map((key) => store.get(key)?.state), errors()], [[...Array<undefined>(4), 'ready', undefined], 4])
})

t.test('many keys are asked in batches, the last ones first, until a summary is found', async (t) => {
  const keys = Array.from({ length: 600 }, (_, index) => `k${index}`)
  const askedWith = async (known: string | undefined): Promise<string[][]> => {
    const asked: string[][] = []
    const mget = async (names: string[]) => {
      asked.push(names.map((name) => name.replace('precis:cut:1:', '')))
      return names.map((name) => (name === `precis:cut:1:${known}` ? JSON.stringify(CUT) : null))
    }
    const { onError, errors } = countErrors()
    const store = new CutStore({ redis: { mget } as unknown as Redis, onError, pendingMs: 60_000 })
    await store.fetch(keys)
    t.same([errors(), store.count()], [0, known === undefined ? 0 : 1])
    return asked
  }
  t.strictSame(await askedWith(undefined), [keys.slice(88), keys.slice(0, 88)])
  t.strictSame(await askedWith('k0'), [keys.slice(88), keys.slice(0, 88)])
  t.strictSame(await askedWith('k88'), [keys.slice(88)])
})

/** Reads a cut from Redis as another program may have written it. */
async function readFromRedis(fields: object) {
  const redis = { mget: async () => [JSON.stringify({ ...CUT, ...fields })] } as unknown as Redis
  const { onError, errors } = countErrors()
  const store = new CutStore({ redis, onError, pendingMs: 60_000 })
  await store.fetch(['k'])
  return [store.get('k'), errors()]
}

t.test('a summary in Redis that this service cannot have written counts as none', async (t) => {
  const wrong = [
    ...[
      '',
      ' \n ',
      '\u200b\u2060\u00ad',
      '\u3164',
      '\u0000',
      '---',
      7,
      null,
      'a'.repeat(1_000_001),
      'hash=0123456789abcdef01234567',
    ].map((summary) => ({ summary })),
    ...[0, -1e9, 1.5, '5', null].map((tokens) => ({ tokens })),
    ...[{ model: 7 }, { model: null }, { state: 'done' }],
  ]
  for (const fields of wrong) t.same(await readFromRedis(fields), [undefined, 1], JSON.stringify(fields).slice(0, 80))
})

t.test('the tokens of a summary in Redis are counted again: a wrong number would exceed a limit', async (t) => {
  const summary = 'words '.repeat(35_000)
  t.same(await readFromRedis({ summary, tokens: 1 }), [cutOf(summary), 0])
  t.ok(tokensOf(summary) > 30_000)
  t.same(await readFromRedis({ tokens: 9e15 }), [CUT, 0])
})

t.test('a value of another shape, and a Redis that is gone, count as no cut', REDIS, async (t) => {
  const { url, stop } = await startRedis(t)
  const { client, store, errors } = await openReplica(t, url)
  await client.set('precis:cut:1:k', '{"state":"ready","summary":7}')
  await store.fetch(['k'])
  t.same([store.get('k'), errors()], [undefined, 1])
  await stop()
  t.equal(await store.claim('other'), true)
  store.put('other', CUT)
  await store.fetch(['k', 'other'])
  t.same(store.get('other'), CUT)
})
