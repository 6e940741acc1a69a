import t, { type Test } from 'tap'
import {
  createYielder,
  mapCooperatively,
  runCooperatively,
  runToEnd,
  type Cooperative,
} from '../../src/runtime/cooperative.ts'

let nowMs = 0

/**
 * In a test the clock stands still, but for work: how fast this machine is, or what else it does, tells nothing. It goes on
 * after the test: others in this process look at it too.
 */
function stopClock(t: Test): void {
  t.intercept(performance, 'now', { value: () => nowMs })
}

/** Longer than one may go on at a stretch. */
function workOn(): void {
  nowMs += 5
}

t.test('work that takes little waits for nothing', async (t) => {
  stopClock(t)
  t.equal(createYielder()(), undefined)
})

t.test('work that takes long waits for a round of the event loop', async (t) => {
  stopClock(t)
  const yieldIfDue = createYielder()
  workOn()
  let hasHadTurn = false
  setImmediate(() => {
    hasHadTurn = true
  })
  await yieldIfDue()
  t.ok(hasHadTurn)
  t.equal(yieldIfDue(), undefined, 'and has a turn of its own then')
})

t.test('several tasks get on in turn, as many of them in one round as have room in 8 ms', async (t) => {
  stopClock(t)
  const order: string[] = []
  const work = async (name: string): Promise<void> => {
    const yieldIfDue = createYielder()
    for (let step = 0; step < 3; step++) {
      workOn()
      order.push(name)
      await yieldIfDue()
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
  stopClock(t)
  const controller = new AbortController()
  const yieldIfDue = createYielder(controller.signal)
  controller.abort(new Error('hung up'))
  t.throws(yieldIfDue, { message: 'hung up' })
})

function* count(to: number): Cooperative<number> {
  let sum = 0
  for (let step = 1; step <= to; step++) {
    sum += step
    yield
  }
  return sum
}

t.test('steps have the same result at once and in turns', async (t) => {
  t.equal(runToEnd(count(4)), 10)
  t.equal(await runCooperatively(count(4), () => undefined), 10)
})

t.test('between two steps it is looked whether others are to have a turn', async (t) => {
  const turns: number[] = []
  let looks = 0
  const result = await runCooperatively(count(4), () => {
    looks += 1
    if (looks % 2 === 0) return undefined
    return Promise.resolve().then(() => void turns.push(looks))
  })
  t.same({ result, looks, turns }, { result: 10, looks: 4, turns: [1, 3] })
})

t.test('work stops where its pace ends it', async (t) => {
  let steps = 0
  function* endless(): Cooperative<never> {
    for (;;) {
      steps += 1
      yield
    }
  }
  const yieldIfDue = (): undefined => {
    if (steps === 3) throw new Error('hung up')
  }
  await t.rejects(runCooperatively(endless(), yieldIfDue), { message: 'hung up' })
  t.equal(steps, 3)
})

t.test('items are mapped one a step, with their places', async (t) => {
  const steps = mapCooperatively(['a', 'b'], (item, index) => `${item}${index}`)
  t.same(
    [steps.next(), steps.next(), steps.next()],
    [
      { done: false, value: undefined },
      { done: false, value: undefined },
      { done: true, value: ['a0', 'b1'] },
    ],
  )
})
