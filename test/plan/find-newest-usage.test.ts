import t from 'tap'
import { contextTokensOf, findNewestUsage } from '../../src/plan/find-newest-usage.ts'
import { findRegion } from '../../src/plan/find-region.ts'
import type { EntryDraft } from '../support/build-entries.ts'
import { assistant, buildEntries, compaction, reset, user } from '../support/build-entries.ts'

const NONE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

const answer = (input: number, stopReason = 'stop') => assistant('Done.', [], { stopReason, usage: { ...NONE, input } })

function usageOf(drafts: EntryDraft[]) {
  const newest = findNewestUsage(findRegion(buildEntries(drafts)))
  return newest && [newest.index, newest.usage.input]
}

t.test('rule 6: the newest assistant message that reports some usage tells the size', async (t) => {
  t.same(usageOf([answer(10), user(), answer(20), user(), assistant(), user()]), [2, 20])
  t.same(usageOf([answer(10), assistant('', [], { usage: NONE })]), [0, 10])
  t.equal(usageOf([user(), assistant()]), undefined)
})

t.test('rule 6: an error and an aborted message tell nothing', async (t) => {
  t.same(usageOf([answer(10), answer(20, 'error'), answer(30, 'aborted')]), [0, 10])
  t.same(usageOf([answer(10), answer(20, 'length')]), [1, 20])
})

t.test('rule 6: usage before the latest compaction is of another context, in its kept region too', async (t) => {
  t.equal(usageOf([user(), answer(10), compaction({ firstKeptEntryId: 'e0' }), user()]), undefined)
  t.same(usageOf([user(), answer(10), compaction({ firstKeptEntryId: 'e0' }), answer(20)]), [3, 20])
})

t.test('rule 6: usage before the newest reset is of another context', async (t) => {
  t.equal(usageOf([user(), answer(10), reset(), user()]), undefined)
})

t.test('rule 3: a compaction that cannot be read hides no usage', async (t) => {
  t.same(usageOf([user(), answer(10), compaction({ isOpaque: true }), user()]), [1, 10])
})

t.test('rule 10: the context is totalTokens, else the sum of all counts', async (t) => {
  const counts = { input: 1, output: 20, cacheRead: 300, cacheWrite: 4000 }
  t.equal(contextTokensOf({ ...counts, totalTokens: 5000 }), 5000)
  t.equal(contextTokensOf({ ...counts, totalTokens: 0 }), 4321)
  t.equal(contextTokensOf(counts), 4321)
})
