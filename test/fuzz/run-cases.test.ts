import t from 'tap'
import { runCases } from './run-cases.ts'
import { runRedis } from './run-redis.ts'
import { runReplies } from './run-replies.ts'
import { runSockets } from './run-sockets.ts'

const SEED = 4242

// `npm run fuzz` is the long run, which also measures stalls and memory. A failure names the command that repeats its case.
t.test(`broken requests get a reply or a problem, and stop nothing (seed ${SEED})`, async (t) => {
  const { failures, statuses } = await runCases({ cases: 600, seed: SEED })
  t.same(failures, [])
  t.same(Object.keys(statuses), ['200', '400', '404', '422'])
})

t.test(`broken replies of the model server become a checked summary or a problem (seed ${SEED})`, async (t) => {
  const { failures, statuses } = await runReplies({ cases: 150, seed: SEED })
  t.same(failures, [])
  // Of two calls at once, either gets the next reply: the rarer statuses, 413 and 424, are not in each run.
  for (const status of ['200', '502', '504']) t.ok(status in statuses, status)
})

t.test(`broken values and counters in Redis count as missing (seed ${SEED})`, async (t) => {
  const { failures, statuses } = await runRedis({ cases: 200, seed: SEED })
  t.same(failures, [])
  t.same(Object.keys(statuses), ['200'])
})

t.test(
  `slow, broken and pipelined connections end, and their complete requests get replies (seed ${SEED})`,
  async (t) => {
    const { failures, statuses } = await runSockets({ cases: 250, seed: SEED })
    t.same(failures, [])
    t.same(Object.keys(statuses), ['100', '200', '400', '404', '405', '413', '415', '417', '421'])
  },
)
