import t from 'tap'
import { findValidCutPoints } from '../../src/plan/cut-points.ts'
import {
  type EntryDraft,
  assistant,
  bash,
  branchSummary,
  call,
  compaction,
  customMessage,
  customRole,
  excludedBash,
  label,
  otherRole,
  reset,
  result,
  summaryRole,
  user,
} from '../support/build-entries.ts'
import { regionOf } from '../support/region-of.ts'

const pointsOf = (drafts: EntryDraft[]) => findValidCutPoints(regionOf(drafts).region)

t.test('rule 4: messages of these roles and entries may be cut at', async (t) => {
  const drafts = [
    user(),
    assistant(),
    bash(),
    customRole(),
    summaryRole('branchSummary'),
    summaryRole('compactionSummary'),
    customMessage(),
    branchSummary(),
  ]
  t.same(pointsOf(drafts), [0, 1, 2, 3, 4, 5, 6, 7])
})

t.test('rule 4: nothing else is a cut point, a tool result never', async (t) => {
  const drafts = [otherRole(), excludedBash(), label(), compaction({ isOpaque: true }), result('no call')]
  t.same(pointsOf([user(), ...drafts]), [0])
  t.same(pointsOf(drafts), [])
})

t.test('rule 2: what contributes no message is no cut', async (t) => {
  t.same(pointsOf([excludedBash(), user(), label()]), [1])
})

t.test('rule 4: no cut where a result at or after it answers a call before it', async (t) => {
  const drafts = [
    user(),
    assistant('', [call('a'), call('b')]),
    result('a'),
    user('a word in between'),
    result('b'),
    assistant(),
  ]
  t.same(pointsOf(drafts), [0, 1, 5])
})

t.test('rule 4: two calls that cross part nothing of each other', async (t) => {
  const drafts = [assistant('', [call('a')]), assistant('', [call('b')]), result('a'), result('b'), user()]
  t.same(pointsOf(drafts), [0, 4])
})

t.test('rule 4: a call without a result parts nothing', async (t) => {
  t.same(pointsOf([user(), assistant('', [call('a')]), user(), assistant()]), [0, 1, 2, 3])
})

t.test('rule 4: a result whose call is nowhere before it on the branch does not count', async (t) => {
  t.same(pointsOf([user(), result('gone'), user(), assistant('', [call('gone')])]), [0, 2, 3])
})

t.test('rule 4: an id that comes again belongs to the nearest call before', async (t) => {
  const drafts = [
    assistant('', [call('same')]),
    result('same'),
    user(),
    assistant('', [call('same')]),
    result('same'),
    user(),
  ]
  t.same(pointsOf(drafts), [0, 2, 3, 5])
})

t.test('rule 4: a late second result of one call still needs it', async (t) => {
  t.same(pointsOf([assistant('', [call('a')]), result('a'), user(), result('a'), user()]), [0, 4])
})

t.test('rule 4: a call before the considered region counts, one before a reset does not', async (t) => {
  const covered = [
    assistant('', [call('a')]),
    user(),
    assistant(),
    result('a'),
    compaction({ firstKeptEntryId: 'e2' }),
    user(),
  ]
  t.same(pointsOf(covered), [5])
  t.same(pointsOf([assistant('', [call('a')]), reset(), user(), assistant(), result('a'), user()]), [2, 3, 5])
})
