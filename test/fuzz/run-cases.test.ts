import t from 'tap'
import { runCases } from './run-cases.ts'

// `npm run fuzz` is the long run, which also measures stalls and memory.
t.test('broken requests get a reply or a problem, and stop nothing', async (t) => {
  const { failures, statuses } = await runCases({ cases: 600, seed: 4242 })
  t.same(failures, [])
  t.same(Object.keys(statuses), ['200', '400', '422'])
})
