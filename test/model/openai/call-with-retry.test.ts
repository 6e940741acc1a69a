import t from 'tap'
import { attemptTimeoutMs, type AttemptState } from '../../../src/model/openai/call-with-retry.ts'

const TIMEOUTS: [attempt: Omit<AttemptState, 'leftMs'>, timeoutMs: number | undefined][] = [
  [{ isLast: false, isLastAttempt: false }, 50_000],
  [{ isLast: false, isLastAttempt: true }, 50_000],
  [{ isLast: true, isLastAttempt: false }, 75_000],
  [{ isLast: true, isLastAttempt: true }, undefined],
]

for (const [attempt, timeoutMs] of TIMEOUTS)
  t.test(`of 100 s a call gets ${timeoutMs ?? 'all'} ms with ${JSON.stringify(attempt)}`, async (t) => {
    t.equal(attemptTimeoutMs({ leftMs: 100_000, ...attempt }), timeoutMs)
  })
