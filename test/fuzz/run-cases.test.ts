import t from 'tap'
import { runCases } from './run-cases.ts'

// `npm run fuzz` is the long run.
t.test('broken requests get a reply or a problem, and stop nothing', async (t) => {
  const { failures, longestStallMs, statuses } = await runCases({ cases: 1500, seed: 4242 })
  t.same(failures, [])
  t.ok(longestStallMs < 1000, `${longestStallMs} ms`)
  t.same(Object.keys(statuses), ['200', '400', '422'])
})
