import t from 'tap'
import { estimateTextTokens } from '../../src/plan/estimate-tokens.ts'
import { findRegion } from '../../src/plan/find-region.ts'
import { scaleKeepRecent } from '../../src/plan/scale-keep-recent.ts'
import { sumTokens } from '../../src/plan/sum-tokens.ts'
import { wrapCompactionSummary } from '../../src/session/wrap-summary.ts'
import type { EntryDraft } from '../support/build-entries.ts'
import { assistant, buildEntries, compaction, tokens, user } from '../support/build-entries.ts'

const answer = (input: number, cacheRead = 0, cacheWrite = 0) =>
  assistant(tokens(70), [], { usage: { input, cacheRead, cacheWrite, output: 999 } })

function scaled(drafts: EntryDraft[], keepRecentTokens: number) {
  const region = findRegion(buildEntries(drafts))
  return scaleKeepRecent(region, sumTokens(region), keepRecentTokens)
}

t.test('rule 6: where more was measured than estimated the budget shrinks by the ratio, rounded down', async (t) => {
  t.equal(scaled([user(tokens(100)), answer(300), user(tokens(50))], 1000), 333)
})

t.test('rule 6: measured is input, cacheRead and cacheWrite, without the output', async (t) => {
  t.equal(scaled([user(tokens(100)), answer(50, 100, 250)], 1000), 250)
})

t.test('rule 6: estimated is what stands before the message that reported', async (t) => {
  t.equal(scaled([user(tokens(100)), answer(200), user(tokens(900)), assistant(tokens(900))], 1000), 500)
})

t.test('rule 6: estimated holds the previous summary, as the model saw it', async (t) => {
  const summary = tokens(100)
  const before = estimateTextTokens(wrapCompactionSummary(summary)) + 100
  t.equal(scaled([user(), compaction({ summary }), user(tokens(100)), answer(4 * before)], 1000), 250)
})

t.test('rule 6: where no more was measured than estimated the budget stays', async (t) => {
  t.equal(scaled([user(tokens(100)), answer(100)], 1000), 1000)
  t.equal(scaled([user(tokens(100)), answer(20)], 1000), 1000)
  t.equal(scaled([user(tokens(100)), assistant()], 1000), 1000)
})

t.test('rule 6: the budget becomes 1 at least', async (t) => {
  t.equal(scaled([user(tokens(1)), answer(100_000)], 1000), 1)
  t.equal(scaled([answer(100)], 1000), 1)
})
