import t from 'tap'
import { createRedisStore, tierStores, createMemoryStore } from '../../src/model/sharing/result-store.ts'
import { connectRedis } from '../../src/runtime/redis.ts'
import { defineMetrics, writeMetrics } from '../../src/observe/metrics.ts'
import { connectToRedis, countErrors } from '../support/connect-redis.ts'
import { startFakeRedis } from '../support/fake-redis.ts'
import { fakeTimers } from '../support/fake-timers.ts'
import { startApp } from '../support/start-app.ts'
import { SKIP_WITHOUT_REDIS, startRedis } from '../support/start-redis.ts'
import { until } from '../support/until.ts'

const onError = (): void => undefined
const isResult = (value: unknown): value is { n: number } => typeof (value as { n?: unknown }).n === 'number'
const ask = { method: 'GET' as const, url: '/favicon.ico' }

t.test('with Redis', { skip: SKIP_WITHOUT_REDIS }, async (t) => {
  t.test('what one replica has finished another finds, for a while', async (t) => {
    const { url } = await startRedis(t)
    const [one, two] = [await connectToRedis(t, url), await connectToRedis(t, url)]
    createRedisStore(one.client, { ttlMs: 60_000, isResult, onError }).set('k', { n: 1 })
    const store = createRedisStore(two.client, { ttlMs: 60_000, isResult, onError })
    await until(async () => (await store.get('k')) !== undefined)
    t.same(await store.get('k'), { n: 1 })
    const keys = await two.client.keys('*')
    t.equal(keys.length, 1)
    const leftMs = await two.client.pttl(keys[0] ?? '')
    t.ok(leftMs > 0 && leftMs <= 60_000, 'Redis itself forgets it when its time is over')
    // Without the time that the machine takes meanwhile: what Redis was told is over is over.
    await two.client.pexpire(keys[0] ?? '', 1)
    await until(async () => (await store.get('k')) === undefined)
  })

  t.test('the near store is asked first, and keeps what the far one had', async (t) => {
    const near = createMemoryStore<{ n: number }>({ entries: 10, ttlMs: 60_000 })
    const far = createMemoryStore<{ n: number }>({ entries: 10, ttlMs: 60_000 })
    const store = tierStores(near, far)
    far.set('a', { n: 1 })
    t.same(await store.get('a'), { n: 1 })
    t.same(near.get('a'), { n: 1 })
    store.set('b', { n: 2 })
    t.same([near.get('b'), far.get('b')], [{ n: 2 }, { n: 2 }])
    t.equal(await store.get('c'), undefined)
  })

  t.test('rate limits are shared by replicas', async (t) => {
    const { url } = await startRedis(t)
    const start = async () => startApp(t, { settings: { rateLimit: 2 }, shared: await connectToRedis(t, url) })
    const [one, two] = [await start(), await start()]
    t.equal((await one.app.inject(ask)).statusCode, 200)
    t.equal((await two.app.inject(ask)).statusCode, 200)
    t.equal((await one.app.inject(ask)).statusCode, 429)
    t.same((await one.app.inject('/readyz')).json(), { status: 'ready', redis: 'up' })
  })

  t.test('when Redis goes away each replica goes on alone, says so, and takes it up again', async (t) => {
    const redis = await startRedis(t)
    const shared = await connectToRedis(t, redis.url)
    const { app, log } = await startApp(t, { settings: { rateLimit: 1 }, shared })
    const store = createRedisStore(shared.client, { ttlMs: 1000, isResult, onError })
    await redis.stop()
    await until(() => !shared.isUp())
    t.same((await app.inject('/readyz')).json(), { status: 'ready', redis: 'away' })
    t.equal((await app.inject(ask)).statusCode, 200)
    t.equal((await app.inject(ask)).statusCode, 429)
    store.set('k', { n: 1 })
    t.equal(await store.get('k'), undefined)
    await startRedis(t, redis.port)
    await until(() => shared.isUp())
    t.same((await app.inject('/readyz')).json(), { status: 'ready', redis: 'up' })
    const lines = log()
      .split('\n')
      .filter((line) => line.includes('Redis'))
      .map((line) => JSON.parse(line) as object)
    t.match(lines, [
      { level: 40, msg: /^Redis does not answer/ },
      { level: 30, msg: 'Redis answers again' },
    ])
  })
})

t.test('a Redis that hangs costs one time-out; then no request waits for it, until it answers again', async (t) => {
  const redis = await startFakeRedis(t)
  const { startTimer, runOut, running } = fakeTimers()
  const shared = await connectToRedis(t, redis.url, { timers: startTimer })
  const metrics = defineMetrics()
  const { app } = await startApp(t, { settings: { rateLimit: 100 }, shared, metrics })
  const { onError, errors } = countErrors()
  const store = createRedisStore(shared.client, { ttlMs: 1000, isResult, onError })
  const readiness = async () => (await app.inject('/readyz')).json<unknown>()
  const upGauge = async () => /^precis_redis_up \d$/m.exec(await writeMetrics(metrics))?.[0]
  redis.hang()
  t.equal((await app.inject(ask)).statusCode, 200, 'the request that finds out waits, and is counted here')
  await until(() => running.length === 1)
  const sent = redis.commands.length
  for (let count = 0; count < 5; count++) {
    t.equal((await app.inject(ask)).statusCode, 200)
    t.equal(await store.get('k'), undefined)
  }
  t.same([redis.commands.length - sent, errors()], [0, 5], 'nothing is sent to Redis, so nothing waits for it')
  t.same(await readiness(), { status: 'ready', redis: 'away' })
  t.equal(await upGauge(), 'precis_redis_up 0')
  t.equal(runOut(), 5000, 'it is asked again some seconds later')
  await until(() => running.length === 1)
  t.equal((await app.inject(ask)).statusCode, 200)
  t.same([redis.commands.length - sent, shared.isUp()], [0, false], 'the probe is not a request')
  redis.recover()
  t.equal(runOut(), 5000)
  await until(() => shared.isUp())
  t.same(await readiness(), { status: 'ready', redis: 'up' })
  t.equal(await upGauge(), 'precis_redis_up 1')
  await app.inject(ask)
  t.ok(redis.commands.length > sent)
})

t.test('a connection that was closed for good is not opened again', async (t) => {
  const redis = await startFakeRedis(t)
  const { startTimer, running } = fakeTimers()
  const shared = connectRedis(redis.url, startTimer)
  await until(() => shared.isUp())
  shared.close()
  await until(() => shared.client.status === 'end')
  t.same(running, [])
})

t.test('a Redis that is not there stops nothing', async (t) => {
  const shared = connectRedis('redis://127.0.0.1:1')
  const { app, log } = await startApp(t, { settings: { rateLimit: 1 }, shared })
  t.equal((await app.inject(ask)).statusCode, 200)
  t.same((await app.inject('/readyz')).json(), { status: 'ready', redis: 'away' })
  await until(() => log().includes('Redis does not answer'))
})
