import t from 'tap'
import { findFirstKept } from '../../src/plan/find-first-kept.ts'
import { findRegion } from '../../src/plan/find-region.ts'
import type { EntryDraft } from '../support/build-entries.ts'
import {
  assistant,
  buildEntries,
  compaction,
  excludedBash,
  label,
  modelChange,
  reset,
  user,
} from '../support/build-entries.ts'

const firstKeptOf = (drafts: EntryDraft[], cut: number) => findFirstKept(findRegion(buildEntries(drafts)), cut)

t.test('rule 7: entries without a message just before the cut move into the kept region', async (t) => {
  t.equal(firstKeptOf([user(), assistant(), label(), modelChange(), excludedBash(), user()], 5), 2)
  t.equal(firstKeptOf([user(), label(), assistant(), user()], 3), 3)
})

t.test('rule 7: they move back to the first entry with a message', async (t) => {
  t.equal(firstKeptOf([user(), label(), assistant(), label(), user()], 4), 3)
})

t.test('rule 7: they move back to a compaction', async (t) => {
  t.equal(firstKeptOf([user(), label(), compaction({ firstKeptEntryId: 'e0' }), label(), user()], 4), 3)
})

t.test('rule 7: they move back to a reset boundary', async (t) => {
  t.equal(firstKeptOf([label(), reset(), label(), user()], 3), 2)
})

t.test("rule 7: they move back to the region's start", async (t) => {
  t.equal(firstKeptOf([label(), modelChange(), user()], 2), 0)
  t.equal(firstKeptOf([label(), label(), user(), compaction({ firstKeptEntryId: 'e1' }), user()], 2), 1)
})

t.test('rule 7: a compaction that cannot be read is passed over, and nothing begins with it', async (t) => {
  const opaque = compaction({ isOpaque: true })
  t.equal(firstKeptOf([user(), label(), opaque, user()], 3), 1)
  t.equal(firstKeptOf([user(), opaque, label(), user()], 3), 2)
  t.equal(firstKeptOf([user(), opaque, user()], 2), 2)
})
