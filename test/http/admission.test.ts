import t from 'tap'
import { createAdmission } from '../../src/http/admission.ts'

const never = new AbortController().signal
const turn = () => new Promise(setImmediate)

t.test('jobs run up to the limit, wait up to the queue, and further ones are refused', async (t) => {
  const admission = createAdmission({ concurrency: 1, queue: 1 })
  const [first, second, third] = [admission.open(), admission.open(), admission.open()]
  await first.acquire(never)
  t.equal(admission.isFull(), false)
  let hasEntered = false
  const waiting = second.acquire(never).then(() => (hasEntered = true))
  await turn()
  t.equal(hasEntered, false)
  t.equal(admission.isFull(), true)
  t.same(admission.counts(), { inFlight: 1, waiting: 1 })
  await t.rejects(third.acquire(never), { message: /queue .* is full/ })
  first.release()
  await waiting
  t.same(admission.counts(), { inFlight: 1, waiting: 0 })
  second.release()
  third.release()
  await turn()
  t.same(admission.counts(), { inFlight: 0, waiting: 0 })
})

t.test('a job that never enters takes no place', async (t) => {
  const admission = createAdmission({ concurrency: 1, queue: 0 })
  admission.open().release()
  const job = admission.open()
  await job.acquire(never)
  t.same(admission.counts(), { inFlight: 1, waiting: 0 })
})

t.test('a job enters once, however much it has to do', async (t) => {
  const admission = createAdmission({ concurrency: 1, queue: 0 })
  const job = admission.open()
  await Promise.all([job.acquire(never), job.acquire(never)])
  t.same(admission.counts(), { inFlight: 1, waiting: 0 })
})

t.test('a place is kept while work of a request that has ended is under way', async (t) => {
  const admission = createAdmission({ concurrency: 1, queue: 0 })
  const job = admission.open()
  const release = job.retain()
  await job.acquire(never)
  job.release()
  job.release()
  await turn()
  t.equal(admission.isFull(), true)
  release()
  release()
  await turn()
  t.same(admission.counts(), { inFlight: 0, waiting: 0 })
})

t.test('who gives up waiting leaves the queue', async (t) => {
  const admission = createAdmission({ concurrency: 1, queue: 1 })
  const [first, second] = [admission.open(), admission.open()]
  await first.acquire(never)
  const gone = new AbortController()
  const waiting = second.acquire(gone.signal)
  gone.abort(new Error('gone'))
  await t.rejects(waiting, { message: 'gone' })
  second.release()
  first.release()
  await turn()
  t.same(admission.counts(), { inFlight: 0, waiting: 0 })
})
