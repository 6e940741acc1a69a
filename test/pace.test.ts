import t from 'tap'
import { createPace } from '../src/pace.ts'

/** Longer than one may go on at a stretch. */
function workOn(): void {
  const end = performance.now() + 5
  while (performance.now() < end);
}

t.test('work that takes little waits for nothing', async (t) => {
  t.equal(createPace()(), undefined)
})

t.test('work that takes long waits for a round of the event loop', async (t) => {
  const pace = createPace()
  workOn()
  let hasHadTurn = false
  setImmediate(() => {
    hasHadTurn = true
  })
  await pace()
  t.ok(hasHadTurn)
  t.equal(pace(), undefined, 'and has a turn of its own then')
})

t.test('of several tasks one gets on a round, each in its turn', async (t) => {
  const order: string[] = []
  const work = async (name: string): Promise<void> => {
    const pace = createPace()
    for (let step = 0; step < 3; step++) {
      workOn()
      order.push(name)
      await pace()
    }
  }
  let isLooking = true
  const look = (): void => {
    order.push('|')
    if (isLooking) setImmediate(look)
  }
  setImmediate(look)
  await Promise.all([work('a'), work('b'), work('c')])
  isLooking = false
  t.equal(order.join('').replace(/\|*$/, ''), 'abc|a|b|c|a|b|c')
})

t.test('work that nobody waits for ends at its next look', async (t) => {
  const controller = new AbortController()
  const pace = createPace(controller.signal)
  controller.abort(new Error('hung up'))
  t.throws(pace, { message: 'hung up' })
})
