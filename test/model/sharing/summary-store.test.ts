import type { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { sealValue, type StoredCut, type StoredDrafts } from '../../../src/model/sharing/stored-summary.ts'
import { summariesInRedis } from '../../../src/model/sharing/summary-place.ts'
import { SummaryStore } from '../../../src/model/sharing/summary-store.ts'
import { writeSummaryMessage } from '../../../src/agents/own-summary.ts'
import { estimateTextTokens } from '../../../src/tokens/estimate-tokens.ts'
import { connectToRedis, countErrors } from '../../support/connect-redis.ts'
import { SKIP_WITHOUT_REDIS, startRedis } from '../../support/start-redis.ts'

const tokensOf = (summary: string): number => estimateTextTokens(writeSummaryMessage(summary))
const cutOf = (summary: string): StoredCut => ({ state: 'ready', summary, tokens: tokensOf(summary), model: 'm' })
const CUT = cutOf('S')
const SECRET = 'a secret of all replicas, 32 characters'
const UNHEARD = { onError: () => undefined, onUnreadable: () => undefined }
const REDIS = { skip: SKIP_WITHOUT_REDIS }

async function openReplica(t: Test, url: string, secret = SECRET) {
  const { client } = await connectToRedis(t, url)
  const { onError, errors } = countErrors()
  return {
    client,
    store: new SummaryStore({
      shared: { place: summariesInRedis(client), secret },
      onError,
      onUnreadable: onError,
      restMs: 60_000,
    }),
    errors,
  }
}

t.test('a cut is claimed once, and free again once it is released', async (t) => {
  const store = new SummaryStore({ ...UNHEARD, restMs: 60_000 })
  t.same([await store.claim('k'), await store.claim('k')], [true, false])
  store.release('k')
  t.equal(await store.claim('k'), true)
  store.put('k', CUT)
  t.same([store.get('k'), await store.claim('k')], [CUT, false])
})

t.test('the texts in this process have a limit: those that were used longest ago are removed first', async (t) => {
  const store = new SummaryStore({ ...UNHEARD, restMs: 60_000, maxBytes: 1000 })
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
  const sealed = values.map((value, index) => value && sealValue(SECRET, `k${index}`, value))
  const redis = { mget: async () => sealed } as unknown as Redis
  const { onError, errors } = countErrors()
  const store = new SummaryStore({
    shared: { place: summariesInRedis(redis), secret: SECRET },
    onError,
    onUnreadable: onError,
    restMs: 60_000,
  })
  await store.fetch(keys)
  t.same([keys.map((key) => store.get(key)?.state), errors()], [[...Array<undefined>(4), 'ready', undefined], 4])
})

t.test('many keys are asked in batches, the last ones first, until a summary is found', async (t) => {
  const keys = Array.from({ length: 600 }, (_, index) => `k${index}`)
  const askedWith = async (known: string | undefined): Promise<string[][]> => {
    const asked: string[][] = []
    const mget = async (names: string[]) => {
      asked.push(names.map((name) => name.replace('precis:summary:1:', '')))
      return names.map((name) =>
        name === `precis:summary:1:${known}` ? sealValue(SECRET, String(known), JSON.stringify(CUT)) : null,
      )
    }
    const { onError, errors } = countErrors()
    const store = new SummaryStore({
      shared: { place: summariesInRedis({ mget } as unknown as Redis), secret: SECRET },
      onError,
      onUnreadable: onError,
      restMs: 60_000,
    })
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
  const redis = {
    mget: async () => [sealValue(SECRET, 'k', JSON.stringify({ ...CUT, ...fields }))],
  } as unknown as Redis
  const { onError, errors } = countErrors()
  const store = new SummaryStore({
    shared: { place: summariesInRedis(redis), secret: SECRET },
    onError,
    onUnreadable: onError,
    restMs: 60_000,
  })
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
  await client.set('precis:summary:1:k', sealValue(SECRET, 'k', '{"state":"ready","summary":7}'))
  await store.fetch(['k'])
  t.same([store.get('k'), errors()], [undefined, 1])
  await stop()
  t.equal(await store.claim('other'), true)
  store.put('other', CUT)
  await store.fetch(['k', 'other'])
  t.same(store.get('other'), CUT)
})

const DRAFTS: StoredDrafts = { state: 'ready', drafts: '{"history":{}}' }

t.test(
  'a value that was altered, moved to another key or sealed with another secret counts as none',
  REDIS,
  async (t) => {
    const { url } = await startRedis(t)
    const [writer, reader] = [await openReplica(t, url), await openReplica(t, url)]
    const stranger = await openReplica(t, url, 'the secret of a service beside it, 32')
    writer.store.put('k', DRAFTS)
    await writer.client.ping()
    const value = String(await reader.client.get('precis:summary:1:k'))
    await reader.client.set('precis:summary:1:other', value)
    await reader.client.set('precis:summary:1:altered', value.replace('history', 'History'))
    await reader.client.set('precis:summary:1:bare', JSON.stringify(DRAFTS))
    for (const key of ['k', 'other', 'altered', 'bare']) await reader.store.fetch([key])
    t.same(
      ['k', 'other', 'altered', 'bare'].map((key) => reader.store.get(key)),
      [DRAFTS, undefined, undefined, undefined],
    )
    t.equal(reader.errors(), 3)
    await stranger.store.fetch(['k'])
    t.same([stranger.store.get('k'), stranger.errors()], [undefined, 1])
  },
)

t.test('drafts have a limit in size: larger ones are not kept', async (t) => {
  const store = new SummaryStore({ ...UNHEARD, restMs: 60_000 })
  store.put('small', DRAFTS)
  store.put('large', { state: 'ready', drafts: 'x'.repeat(3_000_001) })
  t.same([store.get('small'), store.get('large')], [DRAFTS, { state: 'failed' }])
})

t.test('the keys of an owner are found by all replicas, and by no other owner', REDIS, async (t) => {
  const { url } = await startRedis(t)
  const [one, other] = [await openReplica(t, url), await openReplica(t, url)]
  await one.store.claim('k', 'owner')
  await one.store.claim('l', 'owner')
  await one.client.ping()
  t.same([(await other.store.keysOf('owner')).sort(), await other.store.keysOf('another')], [['k', 'l'], []])
  t.same(await one.store.keysOf('owner'), ['l', 'k'], 'the newest first')
})

t.test('a failure is known to all, and a claim that nobody extends ends', REDIS, async (t) => {
  const { url } = await startRedis(t)
  const [one, other] = [await openReplica(t, url), await openReplica(t, url)]
  await one.store.claim('k')
  one.store.fail('k')
  await one.client.ping()
  await other.store.fetch(['k'])
  t.same([other.store.get('k'), await other.store.claim('k')], [{ state: 'failed' }, false])
  await one.store.claim('l')
  t.ok((await one.client.pttl('precis:summary:1:l')) <= 15_000)
  await one.client.pexpire('precis:summary:1:l', 1000)
  await one.store.renew('l')
  t.ok((await one.client.pttl('precis:summary:1:l')) > 10_000)
})

t.test('a claim that is gone, as its writer has died, is free for those who had seen it', REDIS, async (t) => {
  const { url } = await startRedis(t)
  const [one, other] = [await openReplica(t, url), await openReplica(t, url)]
  await one.store.claim('k')
  t.equal(await other.store.claim('k'), false)
  await one.client.del('precis:summary:1:k')
  await other.store.fetch(['k'])
  await one.store.fetch(['k'])
  t.same([other.store.get('k'), one.store.get('k')], [undefined, { state: 'queued' }], 'its writer keeps it')
  t.equal(await other.store.claim('k'), true)
})

t.test('other replicas know whether a summary waits for its turn, or is being written', REDIS, async (t) => {
  const { url } = await startRedis(t)
  const [one, other] = [await openReplica(t, url), await openReplica(t, url)]
  await one.store.claim('k')
  await other.store.fetch(['k'])
  t.same([one.store.get('k'), other.store.get('k')], [{ state: 'queued' }, { state: 'queued' }])
  one.store.begin('k')
  await one.client.ping()
  await other.store.fetch(['k'])
  t.same([one.store.get('k'), other.store.get('k')], [{ state: 'pending' }, { state: 'pending' }])
})

t.test(
  'of two choices under one name, the first one counts, in all replicas with the same secret',
  REDIS,
  async (t) => {
    const { url } = await startRedis(t)
    const [one, other] = [await openReplica(t, url), await openReplica(t, url)]
    const stranger = await openReplica(t, url, 'the secret of a service beside it, 32')
    t.same([await one.store.pins.get('n'), await one.store.pins.set('n', 'a')], [undefined, 'a'])
    t.same([await other.store.pins.set('n', 'b'), await other.store.pins.get('n')], ['a', 'a'])
    t.same([await one.store.pins.set('n', 'c'), await one.store.pins.get('n')], ['a', 'a'])
    t.same([await stranger.store.pins.get('n'), stranger.errors()], [undefined, 1])
    t.same(await one.store.keysOf('owner'), [], 'it is no summary')
  },
)

t.test('a value that cannot be read claims no key: it is overwritten, by one replica', REDIS, async (t) => {
  const { url } = await startRedis(t)
  const [one, other] = [await openReplica(t, url), await openReplica(t, url)]
  const { client } = one
  const foreign: Record<string, string> = {
    secret: sealValue('another secret', 'secret', JSON.stringify(CUT)),
    state: sealValue(SECRET, 'state', '{"state":"done"}'),
    blank: sealValue(SECRET, 'blank', JSON.stringify({ ...CUT, summary: ' ' })),
    text: 'hello',
    empty: '',
  }
  for (const [key, value] of Object.entries(foreign)) await client.set(`precis:summary:1:${key}`, value)
  await client.lpush('precis:summary:1:list', 'hello')
  for (const key of [...Object.keys(foreign), 'list']) {
    t.same([await one.store.claim(key), await other.store.claim(key)], [true, false], key)
    one.store.put(key, CUT)
    await client.ping()
    await other.store.fetch([key])
    t.same(other.store.get(key), CUT, key)
  }
})

t.test('a value that another replica has written meanwhile is not overwritten', REDIS, async (t) => {
  const { url } = await startRedis(t)
  const { client } = await openReplica(t, url)
  const place = summariesInRedis(client)
  await place.write('k', 'new', 60_000)
  t.same([await place.replace('k', 'old', { value: 'mine', ttlMs: 60_000 }), await place.read(['k'])], [false, ['new']])
  t.same([await place.replace('k', null, { value: 'mine', ttlMs: 60_000 }), await place.read(['k'])], [false, ['new']])
  t.same([await place.replace('k', 'new', { value: 'mine', ttlMs: 60_000 }), await place.read(['k'])], [true, ['mine']])
  t.ok((await client.pttl('precis:summary:1:k')) > 0)
})

t.test('a choice that another secret has sealed is made anew, and counts for all', REDIS, async (t) => {
  const { url } = await startRedis(t)
  const foreign = await openReplica(t, url, 'another secret')
  t.equal(await foreign.store.pins.set('text', 'theirs'), 'theirs')
  const [one, other] = [await openReplica(t, url), await openReplica(t, url)]
  t.equal(await one.store.pins.get('text'), undefined)
  t.equal(one.errors(), 1)
  t.equal(await one.store.pins.set('text', 'first'), 'first')
  t.same([await other.store.pins.get('text'), await other.store.pins.set('text', 'second')], ['first', 'first'])
})
