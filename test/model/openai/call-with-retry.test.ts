import t from 'tap'
import { attemptTimeoutMs, type Prospects } from '../../../src/model/openai/call-with-retry.ts'

const SHARES: [prospects: Omit<Prospects, 'leftMs'>, share: number | undefined][] = [
  [{ isLast: false, isLastTry: false }, 50_000],
  [{ isLast: false, isLastTry: true }, 50_000],
  [{ isLast: true, isLastTry: false }, 75_000],
  [{ isLast: true, isLastTry: true }, undefined],
]

for (const [prospects, share] of SHARES)
  t.test(`of 100 s a call gets ${share ?? 'all'} ms where ${JSON.stringify(prospects)}`, async (t) => {
    t.equal(attemptTimeoutMs({ leftMs: 100_000, ...prospects }), share)
  })
