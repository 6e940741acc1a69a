import t from 'tap'
import { findRegion } from '../../src/plan/find-region.ts'
import { findTurnStart } from '../../src/plan/find-turn-start.ts'
import type { EntryDraft } from '../support/build-entries.ts'
import {
  assistant,
  bash,
  branchSummary,
  buildEntries,
  call,
  compaction,
  customMessage,
  customRole,
  excludedBash,
  label,
  otherRole,
  result,
  summaryRole,
  user,
} from '../support/build-entries.ts'

const turnStartOf = (drafts: EntryDraft[], cut: number) => findTurnStart(findRegion(buildEntries(drafts)), cut)

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
