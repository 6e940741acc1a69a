import t from 'tap'
import type { Problem } from '../../src/errors.ts'
import { createAdmission, type Admission } from '../../src/http/admission.ts'
import { openController } from '../../src/runtime/abort.ts'

const never = openController().signal
const turn = () => new Promise(setImmediate)

t.test('requests run up to the limit, wait up to the queue, and further ones are refused', async (t) => {
  const admission = createAdmission({ concurrency: 1, queue: 1 })
  const [first, second, third] = [admission.open('a'), admission.open('a'), admission.open('a')]
  await first.acquire(never)
  t.equal(admission.isFull('a'), false)
  let hasEntered = false
  const waiting = second.acquire(never).then(() => (hasEntered = true))
  await turn()
  t.equal(hasEntered, false)
  t.equal(admission.isFull('a'), true)
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

t.test('a request that never enters takes no place', async (t) => {
  const admission = createAdmission({ concurrency: 1, queue: 0 })
  admission.open('a').release()
  const slot = admission.open('a')
  await slot.acquire(never)
  t.same(admission.counts(), { inFlight: 1, waiting: 0 })
})

t.test('a request enters once, however much it has to do', async (t) => {
  const admission = createAdmission({ concurrency: 1, queue: 0 })
  const slot = admission.open('a')
  await Promise.all([slot.acquire(never), slot.acquire(never)])
  t.same(admission.counts(), { inFlight: 1, waiting: 0 })
})

t.test('a place is kept while work of a request that has ended is under way', async (t) => {
  const admission = createAdmission({ concurrency: 1, queue: 0 })
  const slot = admission.open('a')
  const release = slot.retain()
  await slot.acquire(never)
  slot.release()
  slot.release()
  await turn()
  t.equal(admission.isFull('a'), true)
  release()
  release()
  await turn()
  t.same(admission.counts(), { inFlight: 0, waiting: 0 })
})

t.test('who gives up waiting leaves the queue', async (t) => {
  const admission = createAdmission({ concurrency: 1, queue: 1 })
  const [first, second] = [admission.open('a'), admission.open('a')]
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

/** Opens the slots of a caller, and returns what becomes of them. */
function openSlots(admission: Admission, caller: string, count: number) {
  return Array.from({ length: count }, () => {
    const slot = admission.open(caller)
    const opened = { release: slot.release, state: 'waiting' }
    slot.acquire(never).then(
      () => (opened.state = 'running'),
      (error: unknown) => (opened.state = (error as Problem).type),
    )
    return opened
  })
}

const statesOf = (slots: { state: string }[]): string[] => slots.map(({ state }) => state)

t.test('a caller that is alone has all places and the whole queue', async (t) => {
  const admission = createAdmission({ concurrency: 2, queue: 3 })
  const slots = openSlots(admission, 'a', 6)
  await turn()
  t.same(statesOf(slots), ['running', 'running', 'waiting', 'waiting', 'waiting', 'overloaded'])
})

t.test(
  'if the queue is full, a new caller takes the newest waiting place of the caller with the most requests',
  async (t) => {
    const refused: string[] = []
    const admission = createAdmission({ concurrency: 1, queue: 4, onRefused: (reason) => refused.push(reason) })
    const large = openSlots(admission, 'large', 4)
    const small = openSlots(admission, 'small', 1)
    t.same([admission.isFull('large'), admission.isFull('small'), admission.isFull()], [true, false, false])
    const late = openSlots(admission, 'late', 2)
    await turn()
    t.same(statesOf(large), ['running', 'waiting', 'overloaded', 'overloaded'])
    t.same([...statesOf(small), ...statesOf(late)], ['waiting', 'waiting', 'waiting'])
    t.same(admission.counts(), { inFlight: 1, waiting: 4 })
    t.same(refused, ['queue-full', 'queue-full'])
  },
)

t.test('two callers do not take the same waiting place from each other again and again', async (t) => {
  const admission = createAdmission({ concurrency: 1, queue: 3 })
  const [one, other] = [openSlots(admission, 'one', 4), openSlots(admission, 'other', 2)]
  t.same([admission.isFull('one'), admission.isFull('other')], [true, true])
  const [more, others] = [openSlots(admission, 'one', 2), openSlots(admission, 'other', 2)]
  await turn()
  t.same(statesOf(one), ['running', 'waiting', 'overloaded', 'overloaded'])
  t.same(statesOf(other), ['waiting', 'waiting'])
  t.same(statesOf([...more, ...others]), ['overloaded', 'overloaded', 'overloaded', 'overloaded'])
})

t.test('a queue in which every caller has one request is full for further callers', async (t) => {
  const admission = createAdmission({ concurrency: 1, queue: 2 })
  for (const caller of ['a', 'b', 'c']) openSlots(admission, caller, 1)
  t.equal(admission.isFull(), true)
})

t.test('the next free place is for the caller that has the fewest, however long others have waited', async (t) => {
  const admission = createAdmission({ concurrency: 2, queue: 9 })
  const large = openSlots(admission, 'large', 6)
  const small = openSlots(admission, 'small', 2)
  large[0]?.release()
  await turn()
  t.same(statesOf(small), ['running', 'waiting'])
  large[1]?.release()
  await turn()
  t.same(statesOf(small), ['running', 'waiting'], 'each has one of two places')
  t.equal(large[2]?.state, 'running')
  small[0]?.release()
  await turn()
  t.same(statesOf(small), ['running', 'running'])
})

t.test(
  'with a spare place, a caller with long requests in all others delays no request of another caller',
  async (t) => {
    const admission = createAdmission({ concurrency: 2, queue: 0, hasSpare: true })
    for (let count = 0; count < 2; count++) await admission.open('a').acquire(never)
    t.same([admission.isFull('a'), admission.isFull('b'), admission.isFull()], [true, false, false])
    await t.rejects(admission.open('a').acquire(never), { message: /queue .* is full/ })
    await admission.open('b').acquire(never)
    t.same(admission.counts(), { inFlight: 3, waiting: 0 })
    t.same([admission.isFull('b'), admission.isFull('c')], [true, true])
  },
)
