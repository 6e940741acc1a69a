import t from 'tap'
import { openController } from '../../src/runtime/abort.ts'
import { FairPlaces } from '../../src/runtime/fair-limit.ts'

const caller = {}
const never = { signal: openController().signal, caller }

const limitOf =
  (places: FairPlaces): FairPlaces['run'] =>
  (work, ticket) =>
    places.run(work, ticket)

t.test('a call waits for its turn', async (t) => {
  const limit = limitOf(new FairPlaces(1))
  const order: string[] = []
  let finish = (): void => undefined
  const first = limit(async () => {
    order.push('first begins')
    await new Promise<void>((resolve) => (finish = resolve))
    order.push('first ends')
  }, never)
  const second = limit(async () => order.push('second'), never)
  await new Promise(setImmediate)
  t.same(order, ['first begins'])
  finish()
  await Promise.all([first, second])
  t.same(order, ['first begins', 'first ends', 'second'])
})

t.test('a call that is aborted in the queue is never made, and later ones are', async (t) => {
  const limit = limitOf(new FairPlaces(1))
  const gone = new AbortController()
  const reason = new Error('gone')
  let finish = (): void => undefined
  let made = 0
  const first = limit(() => new Promise<void>((resolve) => (finish = resolve)), never)
  const queued = limit(async () => ++made, { signal: gone.signal, caller })
  const last = limit(async () => 'last', never)
  gone.abort(reason)
  await t.rejects(queued, reason)
  finish()
  await first
  t.equal(await last, 'last')
  t.equal(made, 0)
})

t.test('a call whose signal is already aborted is not made', async (t) => {
  const reason = new Error('gone')
  let made = 0
  await t.rejects(
    new FairPlaces(1).run(async () => ++made, { signal: AbortSignal.abort(reason), caller }),
    reason,
  )
  t.equal(made, 0)
})

t.test('the error of a call is thrown, and its slot is free again', async (t) => {
  const limit = limitOf(new FairPlaces(1))
  await t.rejects(
    limit(() => Promise.reject(new Error('no')), never),
    { message: 'no' },
  )
  t.equal(await limit(async () => 'next', never), 'next')
})

t.test('many calls of one caller delay the one call of another by one call at most', async (t) => {
  const places = new FairPlaces(1)
  const limit = limitOf(places)
  const order: string[] = []
  const call = (name: string, caller: object) =>
    limit(
      async () => {
        order.push(name)
        await new Promise(setImmediate)
      },
      { ...never, caller },
    )
  const [large, small] = [{}, {}]
  const calls = ['large 1', 'large 2', 'large 3'].map((name) => call(name, large))
  calls.push(call('small', small))
  t.equal(places.counts().inFlight, 1)
  await Promise.all(calls)
  t.same(order, ['large 1', 'small', 'large 2', 'large 3'])
  t.equal(places.counts().inFlight, 0)
})

t.test('as many calls as the limit allows are in flight', async (t) => {
  const limit = limitOf(new FairPlaces(3))
  let running = 0
  let most = 0
  const calls = Array.from({ length: 10 }, () =>
    limit(
      async () => {
        most = Math.max(most, ++running)
        await new Promise(setImmediate)
        running--
      },
      { ...never, caller: {} },
    ),
  )
  await Promise.all(calls)
  t.equal(most, 3)
})

t.test('a spare place is for a caller that has none, and no caller ever has the last one', async (t) => {
  const places = new FairPlaces(2)
  const begun: string[] = []
  const releases: Record<string, (() => void)[]> = {}
  const acquire = (caller: string) =>
    void places.acquire({ signal: never.signal, caller }).then((release) => {
      begun.push(caller)
      releases[caller] = [...(releases[caller] ?? []), release]
    })
  const release = (caller: string) => releases[caller]?.shift()?.()
  for (const caller of ['a', 'a', 'a', 'b', 'b']) acquire(caller)
  await new Promise(setImmediate)
  t.same(begun, ['a', 'a'])
  places.setSpare(true)
  await new Promise(setImmediate)
  t.same(begun, ['a', 'a', 'b'])
  t.same([places.hasPlaceFor('a'), places.hasPlaceFor('b'), places.hasPlaceFor('c')], [false, false, false])
  release('b')
  await new Promise(setImmediate)
  t.same(begun, ['a', 'a', 'b', 'b'], 'not the caller that has two')
  release('b')
  t.same([places.hasPlaceFor('a'), places.hasPlaceFor('c'), places.hasPlaceFor()], [false, true, true])
  release('a')
  await new Promise(setImmediate)
  t.same(begun, ['a', 'a', 'b', 'b', 'a'])
})

/** Places for one caller, with what has begun there; `open` takes a name that begins with "later" for work that nobody waits for. */
function openPlaces(concurrency: number) {
  const places = new FairPlaces(concurrency)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const open = async (name: string) => {
    const wanted = openController()
    const isLater = name.startsWith('later')
    void places.acquire({ ...never, ...(isLater && { wanted: wanted.signal }) }).then((release) => {
      begun.push(name)
      ends.set(name, release)
    })
    await new Promise(setImmediate)
    return () => {
      wanted.abort()
    }
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { places, begun, open, end }
}

t.test(
  'work that no request waits for has half of the places, and a request is not behind what waits there',
  async (t) => {
    const { places, begun, open, end } = openPlaces(4)
    for (const name of ['later 1', 'later 2', 'later 3', 'one', 'two', 'three']) await open(name)
    t.same(begun, ['later 1', 'later 2', 'one', 'two'])
    t.same(places.counts(), { inFlight: 4, waiting: 1 }, 'only requests are in the queue')
    await end('later 1')
    t.same(begun.slice(4), ['three'])
    await end('one')
    t.same(begun.slice(5), ['later 3'])
  },
)

t.test('one place of several goes to work that no request waits for, so that it goes on', async (t) => {
  const { begun, open, end } = openPlaces(2)
  for (const name of ['one', 'two', 'later 1', 'later 2', 'three', 'four']) await open(name)
  await end('one')
  t.same(begun, ['one', 'two', 'later 1'])
  await end('two')
  t.same(begun.slice(3), ['three'])
  await end('three')
  t.same(begun.slice(4), ['four'])
  const alone = openPlaces(1)
  for (const name of ['one', 'later 1', 'two']) await alone.open(name)
  await alone.end('one')
  await alone.end('two')
  t.same(alone.begun, ['one', 'two', 'later 1'])
})

t.test('work that a request waits for from now on is work of a request', async (t) => {
  const { places, begun, open, end } = openPlaces(2)
  await open('later 1')
  await open('later 2')
  const want = await open('later 3')
  t.same(begun, ['later 1'])
  want()
  await new Promise(setImmediate)
  t.same(begun, ['later 1', 'later 3'])
  await end('later 3')
  await end('later 1')
  t.same(begun, ['later 1', 'later 3', 'later 2'])
  await end('later 2')
  t.same(places.counts(), { inFlight: 0, waiting: 0 })
})
