import t from 'tap'
import { mapInSteps, runInTurns, runSteps, type Steps } from '../src/steps.ts'

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
