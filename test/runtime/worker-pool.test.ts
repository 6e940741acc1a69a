import { constants, getPriority } from 'node:os'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { openController } from '../../src/runtime/abort.ts'
import { encodeFrame } from '../../src/runtime/frames.ts'
import { WorkerPool } from '../../src/runtime/worker-pool.ts'
import { WorkerDied } from '../../src/runtime/worker-died.ts'
import { READY } from '../../src/runtime/worker-process.ts'
import { compiled } from '../support/compile-source.ts'
import { until } from '../support/until.ts'

const script = pathToFileURL(compiled('test/support/job-worker.ts'))
const never = openController().signal

function openPool(t: Test, options: Partial<ConstructorParameters<typeof WorkerPool>[0]> = {}) {
  const pool = new WorkerPool({ script, workers: 1, memoryMb: 512, ...options })
  t.teardown(() => {
    pool.close()
  })
  const run = async (name: string, { body = [] as Buffer[], signal = never, caller = 'a' } = {}) =>
    (await pool.run({ header: name, body }, { signal, caller })).header
  return { pool, run }
}

t.test('a job gets its bytes, however large, and hands bytes back', async (t) => {
  const { pool } = openPool(t, { memoryMb: 1024 })
  const body = Array.from({ length: 300 }, (_, index) => Buffer.alloc(65_537, index))
  const { header, body: back } = await pool.run({ header: 'echo', body }, { signal: never, caller: 'a' })
  t.equal(header, Buffer.concat(body).toString())
  t.ok(back.equals(Buffer.concat(body)))
})

t.test('jobs that follow each other use the same worker', async (t) => {
  const { run } = openPool(t, { workers: 2 })
  t.equal(await run('pid'), await run('pid'))
})

t.test('a worker does not get the variables of the service', async (t) => {
  process.env['PRECIS_TOKENS'] = 'a-service-token'
  t.teardown(() => delete process.env['PRECIS_TOKENS'])
  const { run } = openPool(t)
  // macOS adds a variable of its own.
  t.notMatch(await run('environment'), { PRECIS_TOKENS: String })
})

t.test('a worker gets no flags of the service, such as `--inspect-brk`', async (t) => {
  const { execArgv } = process
  t.teardown(() => (process.execArgv = execArgv))
  process.execArgv = [...execArgv, '--no-warnings']
  t.same(await openPool(t).run('flags'), ['--max-old-space-size=384', '--max-semi-space-size=4'])
})

for (const name of ['heap', 'buffers'])
  t.test(`a job that fills its memory with ${name} fails alone`, async (t) => {
    const { run } = openPool(t, { workers: 2, memoryMb: 160 })
    const [full, other] = await Promise.allSettled([run(name), run('echo', { body: [Buffer.from('fine')] })])
    t.ok(full.status === 'rejected' && full.reason instanceof WorkerDied && full.reason.reason === 'memory')
    t.same(other, { status: 'fulfilled', value: 'fine' })
    t.equal(await run('echo', { body: [Buffer.from('still fine')] }), 'still fine')
  })

t.test('a worker that ends by itself is an error that does not blame the memory', async (t) => {
  const { run } = openPool(t)
  await t.rejects(run('exit'), { name: 'WorkerDied', reason: 'other' })
})

t.test('a worker that a signal has ended is an error, also if its error output has no end', async (t) => {
  await t.rejects(openPool(t).run('signal with a process left'), { name: 'WorkerDied', reason: 'other' })
})

t.test('a job that runs again can ask for a worker that was started after the death of the first', async (t) => {
  const { pool, run } = openPool(t, { workers: 2 })
  const known = await Promise.all([run('pid'), run('pid')])
  const died: unknown = await run('exit').catch((error: unknown) => error)
  if (!(died instanceof WorkerDied)) throw new Error('The worker has not died.')
  const ticket = { signal: never, caller: 'a' }
  const { header } = await pool.run({ header: 'pid', body: [] }, ticket, { startedAfter: died.diedAt })
  t.notOk(known.includes(header))
  await until(() => pool.counts().inFlight === 0 && pool.counts().workers === 2)
})

t.test('a job that takes more CPU time than it may is ended', { skip: process.platform !== 'linux' }, async (t) => {
  const { run } = openPool(t, { cpuLimitMs: (bodyBytes) => bodyBytes })
  const tooLong = run('loop', { body: [Buffer.alloc(100)] })
  await t.rejects(tooLong, { name: 'WorkerDied', reason: 'cpu-time' })
  t.equal(
    await run('echo', { body: [Buffer.from('fine'), Buffer.alloc(60_000)] }).then((text) => String(text).slice(0, 4)),
    'fine',
  )
})

const numbers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, 4 * index)
  return bytes
}

/** What a process may write to the main process: none of it is the answer of its job, which is the first one. */
const GARBAGE: readonly [what: string, bytes: Buffer][] = [
  ['a header that is no value', Buffer.concat([numbers(4, 0, 1), Buffer.from('abcd')])],
  ['a header without bytes', numbers(0, 0, 1)],
  ['a header of 4 GB', numbers(0xffffffff, 0, 1)],
  ['a body of 4 GB', numbers(4, 0xffffffff, 1)],
  ['text', Buffer.from('A line that an operator has printed.\n'.repeat(100))],
  ['zeros', Buffer.alloc(5000)],
  ['ones', Buffer.alloc(5000, 0xff)],
  ['the answer of another job', Buffer.concat(encodeFrame({ header: 'forged', body: [] }, 7))],
  ['an answer before the first job', Buffer.concat(encodeFrame({ header: 'forged', body: [] }, READY))],
  ['a second answer', Buffer.concat([1, 1].flatMap((job) => encodeFrame({ header: 'forged', body: [] }, job)))],
]

t.test('whatever a process writes is a fault of its own, and the next job gets its own answer', async (t) => {
  for (const [what, bytes] of GARBAGE) {
    const { run } = openPool(t)
    const written = await run('write', { body: [bytes] }).catch((error: unknown) => error)
    if (what === 'a second answer') t.equal(written, 'forged', what)
    else t.match(written, { name: 'WorkerDied', reason: 'other' }, what)
    t.equal(await run('echo', { body: [Buffer.from('mine')] }), 'mine', `after ${what}`)
  }
})

for (const name of ['loop', 'backtrack'])
  t.test(`a job that never ends (${name}) is killed when its signal aborts`, async (t) => {
    const { pool, run } = openPool(t, { graceMs: 0 })
    const before = await run('pid')
    const controller = new AbortController()
    const endless = run(name, { signal: controller.signal })
    const next = run('pid', { caller: 'b' })
    // Long enough for the job to begin; the outcome is the same if it has not.
    setTimeout(() => {
      controller.abort(new Error('The deadline is over.'))
    }, 50)
    await t.rejects(endless, { message: 'The deadline is over.' })
    t.not(await next, before)
    t.same(pool.counts(), { inFlight: 0, waiting: 0, workers: 1 })
  })

t.test('a job whose caller has gone, but which ends soon, leaves its worker alive', async (t) => {
  // However long a busy machine takes: only a worker that is killed at once would not be the same one.
  const { run } = openPool(t, { graceMs: 600_000 })
  const before = await run('pid')
  const controller = new AbortController()
  const abandoned = run('echo', { signal: controller.signal, body: [Buffer.from('x')] })
  controller.abort(new Error('gone'))
  await t.rejects(abandoned, { message: 'gone' })
  t.equal(await run('pid'), before)
})

t.test('a caller with one job waits for one job of another caller at most', async (t) => {
  const { run } = openPool(t)
  const order: string[] = []
  const ask = (caller: string) => run('pid', { caller }).then(() => order.push(caller))
  await Promise.all([ask('a'), ask('a'), ask('a'), ask('b')])
  t.same(order, ['a', 'b', 'a', 'a'])
})

t.test(
  'a caller with endless jobs on all workers does not shut out another one, and gets no spare worker',
  async (t) => {
    const { pool, run } = openPool(t, { hasSpare: true, graceMs: 0 })
    const controller = new AbortController()
    const endless = [0, 1].map(() => run('loop', { signal: controller.signal }).catch(() => 'gone'))
    t.equal(await run('echo', { caller: 'b', body: [Buffer.from('first')] }), 'first')
    t.equal(await run('echo', { caller: 'b', body: [Buffer.from('again')] }), 'again')
    t.same(pool.counts(), { inFlight: 1, waiting: 1, workers: 2 })
    controller.abort()
    t.same(await Promise.all(endless), ['gone', 'gone'])
  },
)

t.test('a caller whose job had to be killed keeps its place until there is another worker', async (t) => {
  const { pool, run } = openPool(t, { workers: 2, graceMs: 0 })
  const controller = new AbortController()
  const endless = run('loop', { signal: controller.signal })
  await run('pid', { caller: 'b' })
  const { workers } = pool.counts()
  controller.abort(new Error('gone'))
  await t.rejects(endless, { message: 'gone' })
  await until(() => pool.counts().inFlight === 0)
  t.same([workers, pool.counts().workers], [2, 2])
})

t.test('a worker that replaces a killed one takes no time from the jobs of others while it starts', async (t) => {
  const { pool, run } = openPool(t, { graceMs: 0 })
  const before = await run('priority')
  const controller = new AbortController()
  const onBegin = () => {
    controller.abort(new Error('gone'))
  }
  const endless = pool.run({ header: 'loop', body: [] }, { signal: controller.signal, caller: 'a' }, { onBegin })
  await t.rejects(endless, { message: 'gone' })
  t.same([before, await run('priority')], [getPriority(), constants.priority.PRIORITY_BELOW_NORMAL])
})

t.test('a caller that has left jobs behind waits for their ends, and another one does not', async (t) => {
  const { pool, run } = openPool(t, { workers: 2, hasSpare: true, graceMs: 600_000 })
  const controller = new AbortController()
  const left = [1, 2].map(
    () =>
      new Promise<void>((onBegin) => {
        const ticket = { signal: controller.signal, caller: 'a' }
        pool.run({ header: 'loop', body: [] }, ticket, { onBegin }).catch(() => undefined)
      }),
  )
  await Promise.all(left)
  controller.abort()
  let isDone = false
  const next = run('pid').then(
    () => (isDone = true),
    () => 'closed',
  )
  t.equal(await run('echo', { caller: 'b', body: [Buffer.from('b')] }), 'b')
  t.same([isDone, pool.counts()], [false, { inFlight: 2, waiting: 1, workers: 3 }])
  pool.close()
  await next
})

t.test(
  'while jobs that a caller has left have all its places, its next requests wait, and those of others do not',
  async (t) => {
    const { pool } = openPool(t, { workers: 1, graceMs: 600_000 })
    const [left, next] = [new AbortController(), new AbortController()]
    const order: string[] = []
    const wait = (caller: string, signal = never) =>
      pool.whenNoneLeft({ caller, signal }).then(
        () => order.push(caller),
        () => order.push(`${caller} has gone`),
      )
    await new Promise<void>((onBegin) => {
      const ticket = { signal: left.signal, caller: 'a' }
      pool.run({ header: 'loop', body: [] }, ticket, { onBegin }).catch(() => undefined)
    })
    await wait('a')
    left.abort()
    const waiting = [wait('a'), wait('a', next.signal)]
    await wait('b')
    next.abort()
    await waiting[1]
    t.same(order, ['a', 'b', 'a has gone'])
    pool.close()
    await waiting[0]
    t.same(order, ['a', 'b', 'a has gone', 'a'])
  },
)

t.test('a caller with a place left is not kept waiting, nor are more requests than a few', async (t) => {
  const { pool } = openPool(t, { workers: 2, graceMs: 600_000 })
  const leave = async () => {
    const controller = new AbortController()
    await new Promise<void>((onBegin) => {
      const ticket = { signal: controller.signal, caller: 'a' }
      pool.run({ header: 'loop', body: [] }, ticket, { onBegin }).catch(() => undefined)
    })
    controller.abort()
  }
  let done = 0
  const wait = () => pool.whenNoneLeft({ caller: 'a', signal: never }).then(() => (done += 1))
  await leave()
  await wait()
  await leave()
  const waiting = Array.from({ length: 70 }, wait)
  await waiting.at(-1)
  t.equal(done, 7)
  pool.close()
  await Promise.all(waiting)
})

t.test('a worker that is still starting when its caller goes is there for the next job', async (t) => {
  const { pool, run } = openPool(t, { graceMs: 0 })
  const gone = run('loop', { signal: AbortSignal.timeout(1) })
  const next = run('echo', { body: [Buffer.from('next')] })
  await t.rejects(gone)
  t.equal(await next, 'next')
  t.same(pool.counts(), { inFlight: 0, waiting: 0, workers: 1 })
})

t.test('a job that waits leaves the queue when its signal aborts', async (t) => {
  const { pool, run } = openPool(t)
  const controller = new AbortController()
  const first = run('pid')
  const second = run('pid', { signal: controller.signal })
  controller.abort(new Error('gone'))
  await t.rejects(second, { message: 'gone' })
  await first
  t.same(pool.counts(), { inFlight: 0, waiting: 0, workers: 1 })
})
