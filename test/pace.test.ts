import t from 'tap'
import { createPace } from '../src/pace.ts'

/** The clock stands still, but for work: how fast this machine is, or what else it does, tells nothing. */
let nowMs = 0
t.intercept(performance, 'now', { value: () => nowMs })

/** Longer than one may go on at a stretch. */
function workOn(): void {
  nowMs += 5
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

t.test('several tasks get on in turn, as many of them in one round as have room in 8 ms', async (t) => {
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
  const rounds = order.join('').split('|')
  t.equal(rounds.join(''), 'abcabcabc')
  // All three begin before the first round.
  t.same(
    rounds.slice(1).filter((round) => round.length > 2),
    [],
  )
})

t.test('work that nobody waits for ends at its next look', async (t) => {
  const controller = new AbortController()
  const pace = createPace(controller.signal)
  controller.abort(new Error('hung up'))
  t.throws(pace, { message: 'hung up' })
})
