import t from 'tap'
import {
  decideRetry,
  isLastAttempt,
  type Change,
  type NextStep,
  type RetryState,
} from '../../../src/model/openai/decide-retry.ts'
import type { Failure, FailureKind } from '../../../src/model/openai/failure.ts'

const retryState = (kinds: readonly FailureKind[], extras: Partial<RetryState> = {}): RetryState => ({
  failures: kinds.map((kind): Failure => ({ kind })),
  changes: new Set<Change>(),
  canRaiseLimit: true,
  isLast: true,
  leftMs: 100_000,
  random: 0,
  ...extras,
})

const NO: NextStep = { retry: false }
const after = (waitMs: number): NextStep => ({ retry: true, waitMs })
const changed = (change: Change): NextStep => ({ retry: true, waitMs: 0, change })

/** The failures of a candidate's attempts, oldest first, and the next step. */
const STEPS: [failures: FailureKind[], step: NextStep, extras?: Partial<RetryState>][] = [
  [['rate-limited'], after(500)],
  [['rate-limited', 'rate-limited'], after(1000)],
  [['rate-limited', 'rate-limited', 'rate-limited'], NO],
  [['server-error'], after(500)],
  [['server-error', 'dropped', 'server-error'], NO],
  [['dropped'], after(500)],
  [['dropped', 'rate-limited'], after(1000)],
  [['malformed'], after(500)],
  [['malformed', 'malformed'], NO],
  [['empty'], after(500)],
  [['empty', 'malformed'], NO],
  [['empty', 'server-error'], after(1000)],
  [['server-error', 'empty'], after(1000)],
  [['server-error', 'server-error', 'empty'], NO],
  [['stalled'], after(0)],
  [['stalled'], NO, { isLast: false }],
  [['rate-limited'], after(500), { isLast: false }],
  [['truncated-thinking'], changed('cap-as-limit')],
  [['truncated-thinking'], changed('brevity'), { canRaiseLimit: false }],
  [['truncated-thinking', 'truncated-thinking'], NO, { changes: new Set(['cap-as-limit']) }],
  [['truncated-thinking', 'truncated-thinking'], NO, { canRaiseLimit: false, changes: new Set(['brevity']) }],
  [['truncated-thinking', 'over-limit'], changed('brevity'), { changes: new Set(['cap-as-limit']) }],
  [['truncated-thinking', 'truncated'], changed('brevity'), { changes: new Set(['cap-as-limit']) }],
  [['truncated-thinking', 'over-limit', 'over-limit'], NO, { changes: new Set(['cap-as-limit', 'brevity']) }],
  [['truncated'], changed('brevity')],
  [['truncated', 'truncated'], NO, { changes: new Set(['brevity']) }],
  [['truncated', 'truncated-thinking'], changed('cap-as-limit'), { changes: new Set(['brevity']) }],
  [['truncated', 'rate-limited'], after(500), { changes: new Set(['brevity']) }],
  [['rate-limited', 'rate-limited', 'truncated'], changed('brevity')],
  [['refused'], NO],
  [['refused-key'], NO],
  [['no-credit'], NO],
  [['unknown-model'], NO],
  [['too-long'], NO],
  [['bad-request'], NO],
  [[], NO],
]

for (const [failures, step, extras] of STEPS)
  t.test(`after ${failures.join(', ')}${extras ? ` (${Object.keys(extras).join(', ')})` : ''}`, async (t) => {
    t.strictSame(decideRetry(retryState(failures, extras)), step)
  })

const limited = (retryAfterMs: number): Failure[] => [{ kind: 'rate-limited', retryAfterMs }]

t.test('the wait is what the server asks for, up to 30 s', async (t) => {
  const step = (retryAfterMs: number) => decideRetry(retryState([], { failures: limited(retryAfterMs) }))
  t.strictSame(step(0), after(0))
  t.strictSame(step(7000), after(7000))
  t.strictSame(step(30_000), after(30_000))
  t.strictSame(step(30_001), NO)
})

t.test('no wait passes the deadline', async (t) => {
  const step = (leftMs: number) => decideRetry(retryState([], { failures: limited(7000), leftMs }))
  t.strictSame(step(7001), after(7000))
  t.strictSame(step(7000), NO)
  t.strictSame(decideRetry(retryState(['dropped'], { leftMs: 500 })), NO)
})

t.test('the jitter is at most half of the wait', async (t) => {
  t.strictSame(decideRetry(retryState(['dropped'], { random: 0.5 })), after(625))
  t.strictSame(decideRetry(retryState(['dropped', 'dropped'], { random: 1 })), after(1500))
})

t.test('an attempt is the last one when no retry would follow a transient failure', async (t) => {
  const isLast = (...kinds: FailureKind[]) => isLastAttempt(kinds.map((kind) => ({ kind })))
  t.equal(isLast(), false)
  t.equal(isLast('dropped'), false)
  t.equal(isLast('truncated', 'dropped'), false)
  t.equal(isLast('dropped', 'dropped'), true)
  t.equal(isLast('stalled'), true)
})
