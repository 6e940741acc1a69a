import t from 'tap'
import { findRegion } from '../../src/plan/find-region.ts'
import { labelEntries } from '../../src/plan/label-entries.ts'
import { assistant, buildEntries, compaction, label, reset, user } from '../support/build-entries.ts'

const region = findRegion(
  buildEntries([
    user(),
    reset(),
    user(),
    label(),
    user(),
    assistant(),
    compaction({ firstKeptEntryId: 'e4' }),
    label(),
    user(),
    label(),
    assistant(),
    label(),
  ]),
)

const outside = ['ignored', 'ignored', 'covered', 'ignored']

t.test('each entry is told what becomes of it: before the reset, covered, summarized, turn prefix, kept', async (t) => {
  t.same(labelEntries(region, { at: 10, firstKept: 9, turnStart: 8 }), [
    ...outside,
    ...['summarized', 'summarized', 'ignored', 'ignored', 'turn-prefix', 'kept', 'kept', 'ignored'],
  ])
})

t.test('without a split turn all before the cut is summarized', async (t) => {
  t.same(labelEntries(region, { at: 8, firstKept: 7 }), [
    ...outside,
    ...['summarized', 'summarized', 'ignored', 'kept', 'kept', 'ignored', 'kept', 'ignored'],
  ])
})

t.test('without a cut all that is considered is kept', async (t) => {
  t.same(labelEntries(region, undefined), [
    ...outside,
    ...['kept', 'kept', 'ignored', 'ignored', 'kept', 'ignored', 'kept', 'ignored'],
  ])
})
