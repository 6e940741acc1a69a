import t from 'tap'
import { chooseCut } from '../../src/plan/choose-cut.ts'
import { findRegion } from '../../src/plan/find-region.ts'
import { sumTokens } from '../../src/plan/sum-tokens.ts'
import type { EntryDraft } from '../support/build-entries.ts'
import { assistant, buildEntries, compaction, label, tokens, user } from '../support/build-entries.ts'

function cutOf(drafts: EntryDraft[], keepRecentTokens: number) {
  const region = findRegion(buildEntries(drafts))
  return chooseCut(region, sumTokens(region), keepRecentTokens)
}

const drafts = [user(tokens(10)), label(), user(tokens(10)), label(), assistant(tokens(10))]

t.test('a cut tells its place, the first kept entry and the beginning of the turn that it splits', async (t) => {
  t.same(cutOf(drafts, 10), { at: 4, firstKept: 3, turnStart: 2 })
  t.same(cutOf(drafts, 20), { at: 2, firstKept: 1 })
})

t.test('without a message between the start of the region and the cut there is nothing to compact', async (t) => {
  t.equal(cutOf(drafts, 30), undefined)
  t.equal(cutOf([label(), ...drafts], 30), undefined)
  t.equal(cutOf([user(), user(), compaction({ firstKeptEntryId: 'e1' }), user(tokens(10))], 30), undefined)
  t.equal(cutOf([label()], 30), undefined)
})
