import t from 'tap'
import { findCutPoint } from '../../src/plan/find-cut-point.ts'
import { findRegion } from '../../src/plan/find-region.ts'
import { sumTokens } from '../../src/plan/sum-tokens.ts'
import type { EntryDraft } from '../support/build-entries.ts'
import { assistant, buildEntries, call, otherRole, result, tokens, user } from '../support/build-entries.ts'

function cutOf(drafts: EntryDraft[], keepRecentTokens: number) {
  const region = findRegion(buildEntries(drafts))
  return findCutPoint(region, sumTokens(region), keepRecentTokens)
}

const four = [user(tokens(10)), assistant(tokens(10)), user(tokens(10)), assistant(tokens(10))]

t.test('rule 5: the longest run of groups that fits is kept, and an exact fit fits', async (t) => {
  t.same(
    [9, 10, 19, 20, 29, 30, 39, 40, 1000].map((budget) => cutOf(four, budget)),
    [3, 3, 3, 2, 2, 1, 1, 0, 0],
  )
})

t.test('rule 5: the newest group is kept even where it alone does not fit', async (t) => {
  t.equal(cutOf([...four, user(tokens(100))], 50), 4)
  t.equal(cutOf([...four, user(tokens(100))], 0), 4)
})

t.test('rule 5: a group is kept whole or not at all', async (t) => {
  const drafts = [
    user(tokens(10)),
    assistant(tokens(10), [call('a', 'bash', '')]),
    result('a', tokens(50)),
    assistant(tokens(10)),
  ]
  t.equal(cutOf(drafts, 60), 3)
  t.equal(cutOf(drafts, 72), 1, '10 + (10 and the call: 1 + 1) + 50')
})

t.test('rule 5: where nothing but tool results would be after the cut, their call is kept with them', async (t) => {
  const drafts = [...four, assistant('', [call('a'), call('b')]), result('a', tokens(500)), result('b', tokens(500))]
  t.equal(cutOf(drafts, 500), 4)
})

t.test('rule 5: groups without tokens join a run that fits exactly, and none that is too large', async (t) => {
  t.equal(cutOf([user(tokens(1)), assistant(''), user(''), assistant(tokens(10))], 10), 1)
  t.equal(cutOf([user(tokens(1)), assistant(''), user(''), assistant(tokens(11))], 10), 3)
})

t.test('rule 5: without a valid cut point there is no cut', async (t) => {
  t.equal(cutOf([otherRole(), result('gone')], 10), undefined)
  t.equal(cutOf([], 10), undefined)
})
