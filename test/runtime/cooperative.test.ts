import t from 'tap'
import { createPace, mapInSteps, runInTurns, runSteps, type Steps } from '../../src/runtime/cooperative.ts'

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

function* count(to: number): Steps<number> {
  let sum = 0
  for (let step = 1; step <= to; step++) {
    sum += step
    yield
  }
  return sum
}

t.test('steps have the same result at once and in turns', async (t) => {
  t.equal(runSteps(count(4)), 10)
  t.equal(await runInTurns(count(4), () => undefined), 10)
})

t.test('between two steps it is looked whether others are to have a turn', async (t) => {
  const turns: number[] = []
  let looks = 0
  const result = await runInTurns(count(4), () => {
    looks += 1
    if (looks % 2 === 0) return undefined
    return Promise.resolve().then(() => void turns.push(looks))
  })
  t.same({ result, looks, turns }, { result: 10, looks: 4, turns: [1, 3] })
})

t.test('work stops where its pace ends it', async (t) => {
  let steps = 0
  function* endless(): Steps<never> {
    for (;;) {
      steps += 1
      yield
    }
  }
  const pace = (): undefined => {
    if (steps === 3) throw new Error('hung up')
  }
  await t.rejects(runInTurns(endless(), pace), { message: 'hung up' })
  t.equal(steps, 3)
})

t.test('items are mapped one a step, with their places', async (t) => {
  const steps = mapInSteps(['a', 'b'], (item, index) => `${item}${index}`)
  t.same(
    [steps.next(), steps.next(), steps.next()],
    [
      { done: false, value: undefined },
      { done: false, value: undefined },
      { done: true, value: ['a0', 'b1'] },
    ],
  )
})
