import t from 'tap'
import { chooseCut, findCutPoint, findFirstKept, findTurnStart, findValidCutPoints } from '../../src/plan/choose-cut.ts'
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
  modelChange,
  otherRole,
  reset,
  result,
  summaryRole,
  tokens,
  user,
} from '../support/build-entries.ts'
import { regionOf } from '../support/region-of.ts'

function cutOf(drafts: EntryDraft[], keepRecentTokens: number) {
  const { region, tokens } = regionOf(drafts)
  return chooseCut(region, tokens, keepRecentTokens)
}

const drafts = [user(tokens(10)), label(), user(tokens(10)), label(), assistant(tokens(10))]

t.test('a cut has its place, the first kept entry and the beginning of the turn that it splits', async (t) => {
  t.same(cutOf(drafts, 10), { at: 4, firstKept: 3, turnStart: 2 })
  t.same(cutOf(drafts, 20), { at: 2, firstKept: 1 })
})

t.test('without a message between the start of the region and the cut there is nothing to compact', async (t) => {
  t.equal(cutOf(drafts, 30), undefined)
  t.equal(cutOf([label(), ...drafts], 30), undefined)
  t.equal(cutOf([user(), user(), compaction({ firstKeptEntryId: 'e1' }), user(tokens(10))], 30), undefined)
  t.equal(cutOf([label()], 30), undefined)
})

function cutPointOf(drafts: EntryDraft[], keepRecentTokens: number) {
  const { region, tokens } = regionOf(drafts)
  return findCutPoint(region, tokens, keepRecentTokens)
}

const four = [user(tokens(10)), assistant(tokens(10)), user(tokens(10)), assistant(tokens(10))]

t.test('rule 5: the longest run of groups that fits is kept, and an exact fit fits', async (t) => {
  t.same(
    [9, 10, 19, 20, 29, 30, 39, 40, 1000].map((budget) => cutPointOf(four, budget)),
    [3, 3, 3, 2, 2, 1, 1, 0, 0],
  )
})

t.test('rule 5: the newest group is kept even where it alone does not fit', async (t) => {
  t.equal(cutPointOf([...four, user(tokens(100))], 50), 4)
  t.equal(cutPointOf([...four, user(tokens(100))], 0), 4)
})

t.test('rule 5: a group is kept whole or not at all', async (t) => {
  const drafts = [
    user(tokens(10)),
    assistant(tokens(10), [call('a', 'bash', '')]),
    result('a', tokens(50)),
    assistant(tokens(10)),
  ]
  t.equal(cutPointOf(drafts, 60), 3)
  t.equal(cutPointOf(drafts, 72), 1, '10 + (10 and the call: 1 + 1) + 50')
})

t.test('rule 5: where nothing but tool results would be after the cut, their call is kept with them', async (t) => {
  const drafts = [...four, assistant('', [call('a'), call('b')]), result('a', tokens(500)), result('b', tokens(500))]
  t.equal(cutPointOf(drafts, 500), 4)
})

t.test('rule 5: groups without tokens join a run that fits exactly, and none that is too large', async (t) => {
  t.equal(cutPointOf([user(tokens(1)), assistant(''), user(''), assistant(tokens(10))], 10), 1)
  t.equal(cutPointOf([user(tokens(1)), assistant(''), user(''), assistant(tokens(11))], 10), 3)
})

t.test('rule 5: without a valid cut point there is no cut', async (t) => {
  t.equal(cutPointOf([otherRole(), result('gone')], 10), undefined)
  t.equal(cutPointOf([], 10), undefined)
})

const firstKeptOf = (drafts: EntryDraft[], cut: number) => findFirstKept(regionOf(drafts).region, cut)

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

const turnStartOf = (drafts: EntryDraft[], cut: number) => findTurnStart(regionOf(drafts).region, cut)

t.test('rule 8: these begin a turn, so a cut at one splits none', async (t) => {
  for (const beginning of [user(), bash(), customMessage(), branchSummary()])
    t.equal(turnStartOf([user(), assistant(), beginning, assistant()], 2), undefined)
})

t.test('rule 8: nothing else begins a turn, so a cut there splits the one around it', async (t) => {
  for (const other of [assistant(), customRole(), summaryRole('branchSummary'), summaryRole('compactionSummary')])
    t.equal(turnStartOf([user(), user(), assistant(), other, assistant()], 3), 1)
})

t.test("rule 8: the turn's beginning is the nearest one before the cut", async (t) => {
  const between = [otherRole(), customRole(), excludedBash(), label(), assistant('', [call('a')]), result('a')]
  t.equal(turnStartOf([user(), bash(), ...between, assistant()], 8), 1)
})

t.test('rule 8: a turn that begins in what the previous compaction covers is not split', async (t) => {
  const covered = [user(), assistant(), assistant(), compaction({ firstKeptEntryId: 'e1' }), assistant()]
  t.equal(turnStartOf(covered, 4), undefined)
  t.equal(turnStartOf([user(), ...covered.slice(1, 3), compaction({ firstKeptEntryId: 'e0' }), assistant()], 4), 0)
})

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
