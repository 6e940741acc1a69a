import t from 'tap'
import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'
import { planCompaction, labelEntries } from '../../src/plan/plan-compaction.ts'
import type { Entry } from '../../src/session/entry.ts'
import {
  type EntryDraft,
  assistant,
  branchSummary,
  buildEntries,
  call,
  compaction,
  excludedBash,
  label,
  modelChange,
  named,
  otherRole,
  reset,
  result,
  tokens,
  user,
} from '../support/build-entries.ts'
import { findRegion } from '../../src/plan/region.ts'

const idsOf = (entries: readonly Entry[]) => entries.map(({ id }) => id)

/** A plan with ids in place of entries and runs. */
function planOf(drafts: EntryDraft[], keepRecentTokens: number) {
  const { history, turnPrefix, kept, runs, ...plan } = planCompaction(buildEntries(drafts), { keepRecentTokens })
  const calls = [...new Set(runs.values())].map(({ call }) => call?.id)
  return { ...plan, history: idsOf(history), turnPrefix: idsOf(turnPrefix), kept: idsOf(kept), runs: calls }
}

/** The same, only with where it was cut. */
function cutOf(drafts: EntryDraft[], keepRecentTokens: number) {
  const { cut, history, turnPrefix, kept } = planOf(drafts, keepRecentTokens)
  return { cut, history, turnPrefix, kept }
}

/** A user and an answer, 10 tokens each. */
const turn = [user(tokens(10)), assistant(tokens(10))]

const plainCut = (firstKeptEntryId: string) => ({ firstKeptEntryId, isSplitTurn: false, turnStartEntryId: null })

t.test('a plan describes all that a compaction does', async (t) => {
  const drafts = [
    modelChange(),
    user(tokens(10)),
    assistant(tokens(10), [call('a', 'read', { path: 'a.ts' })]),
    result('a', tokens(10)),
    label(),
    ...turn,
  ]
  t.strictSame(planOf(drafts, 20), {
    cut: plainCut('e4'),
    history: ['e1', 'e2', 'e3'],
    turnPrefix: [],
    kept: ['e5', 'e6'],
    runs: ['a'],
    files: { readFiles: ['a.ts'], modifiedFiles: [] },
    tokensBefore: 50 + estimateTextTokens('read') + estimateTextTokens('{"path":"a.ts"}'),
    tokensOutside: 0,
    previousSummaryTokens: 0,
    tokensKept: 20,
    keep: { asked: 20, budget: 20, ratio: 1, kept: 20, why: 'They fit exactly.' },
    regions: ['ignored', 'summarized', 'summarized', 'summarized', 'kept', 'kept', 'kept'],
  })
})

t.test('the budget is 20000 tokens where the settings have none', async (t) => {
  const plan = planCompaction(buildEntries([user(tokens(1)), user(tokens(19_000)), user(tokens(1000))]), {})
  t.same([plan.keep.asked, plan.cut?.firstKeptEntryId], [20_000, 'e1'])
})

t.test('rule 2: excluded and system messages are never summarized and never counted', async (t) => {
  const plan = planOf([user(tokens(10)), excludedBash(), ...turn], 20)
  t.same([plan.history, plan.tokensBefore], [['e0'], 30])
})

t.test('rule 3: a second compaction includes what the first had kept', async (t) => {
  const drafts = [
    ...turn,
    ...turn,
    compaction({ summary: 'first', firstKeptEntryId: 'e2' }),
    user(tokens(10)),
    assistant(tokens(10)),
  ]
  const { previousCompaction, previousSummary, ...plan } = planOf(drafts, 20)
  t.same(plan.history, ['e2', 'e3'])
  t.same([previousCompaction?.id, previousSummary], ['e4', 'first'])
  t.same(plan.regions, ['covered', 'covered', 'summarized', 'summarized', 'ignored', 'kept', 'kept'])
})

t.test('rule 3: the cut may stand before the previous compaction', async (t) => {
  const drafts = [...turn, ...turn, compaction({ summary: 'first', firstKeptEntryId: 'e0' }), user(tokens(10))]
  t.same(cutOf(drafts, 30), { cut: plainCut('e2'), history: ['e0', 'e1'], turnPrefix: [], kept: ['e2', 'e3', 'e5'] })
})

t.test('rule 3: behind a compaction that cannot be read its history is taken from the original entries', async (t) => {
  const drafts = [...turn, compaction({ summary: 'unreadable', isOpaque: true, firstKeptEntryId: 'e1' }), ...turn]
  const plan = planOf(drafts, 20)
  t.same(plan.history, ['e0', 'e1'])
  t.notOk('previousSummary' in plan || 'previousCompaction' in plan)
  t.same(plan.regions, ['summarized', 'summarized', 'ignored', 'kept', 'kept'])
})

t.test('rule 1: what stands before the newest reset is ignored', async (t) => {
  const summary = 'old\n<read-files>\nold.ts\n</read-files>'
  const files = { readFiles: [], modifiedFiles: ['older.ts'] }
  const plan = planOf([user(), compaction({ summary, files }), user(), reset(), ...turn, ...turn], 20)
  t.same(plan.regions, ['ignored', 'ignored', 'ignored', 'ignored', 'summarized', 'summarized', 'kept', 'kept'])
  t.same(plan.files, { readFiles: [], modifiedFiles: [] })
  t.notOk('previousSummary' in plan)
})

t.test('rule 5: a newest group larger than the budget is kept, and what stands before it is compacted', async (t) => {
  t.same(cutOf([...turn, user(tokens(500))], 20), {
    cut: plainCut('e2'),
    history: ['e0', 'e1'],
    turnPrefix: [],
    kept: ['e2'],
  })
})

t.test('rule 5: where all groups fit there is nothing to compact', async (t) => {
  t.same(cutOf([modelChange(), ...turn], 1000), { cut: null, history: [], turnPrefix: [], kept: ['e1', 'e2'] })
  t.same(cutOf([user(tokens(500))], 20), { cut: null, history: [], turnPrefix: [], kept: ['e0'] })
})

t.test('rule 5: what stands before the first group is in none, so it is never kept', async (t) => {
  t.same(cutOf([otherRole(), result('gone'), ...turn], 1000), {
    cut: plainCut('e2'),
    history: ['e0', 'e1'],
    turnPrefix: [],
    kept: ['e2', 'e3'],
  })
})

t.test('rule 5: without a valid cut point there is nothing to compact', async (t) => {
  t.same(cutOf([result('gone'), otherRole()], 1), { cut: null, history: [], turnPrefix: [], kept: ['e0', 'e1'] })
})

t.test('a session without messages has nothing to compact', async (t) => {
  for (const drafts of [[], [modelChange()], [user(), reset()], [user(), compaction({ firstKeptEntryId: 'gone' })]])
    t.same(cutOf(drafts, 0), { cut: null, history: [], turnPrefix: [], kept: [] })
})

t.test('nothing new after the previous compaction and what it kept is nothing to compact', async (t) => {
  const tags = '\n\n<read-files>\ntold.ts\n</read-files>'
  const files = { readFiles: ['listed.ts'], modifiedFiles: [] }
  const kept = [user(tokens(10)), assistant('', [call('a', 'edit', { path: 'kept.ts' })])]
  const plan = planOf(
    [
      branchSummary('', { readFiles: ['branch.ts'], modifiedFiles: [] }),
      ...kept,
      compaction({ summary: tags, files, firstKeptEntryId: 'e1' }),
    ],
    1000,
  )
  t.equal(plan.cut, null)
  t.same(plan.files, { readFiles: ['branch.ts', 'listed.ts', 'told.ts'], modifiedFiles: [] })
  t.same(plan.regions, ['covered', 'kept', 'kept', 'ignored'])
})

t.test('rule 6: the cut is made with the scaled budget', async (t) => {
  const answer = (input: number) =>
    assistant(tokens(10), [], { usage: { input, output: 0, cacheRead: 0, cacheWrite: 0 } })
  const drafts = [user(tokens(10)), answer(1010), user(tokens(10)), answer(1060), user(tokens(10))]
  const { keep, cut } = planOf(drafts, 21)
  t.same([keep.budget, cut], [10, plainCut('e4')])
})

t.test('rule 7: only the metadata entry that the kept region begins with is labelled as kept', async (t) => {
  const { cut, regions } = planOf([...turn, modelChange(), label(), user(tokens(10)), label()], 10)
  t.same(cut, plainCut('e2'))
  t.same(regions, ['summarized', 'summarized', 'kept', 'ignored', 'kept', 'ignored'])
})

t.test('rule 8: a split turn has its history and its prefix', async (t) => {
  const { regions, ...plan } = planOf([...turn, ...turn, label(), assistant(tokens(10))], 10)
  t.same(plan.cut, { firstKeptEntryId: 'e4', isSplitTurn: true, turnStartEntryId: 'e2' })
  t.same([plan.history, plan.turnPrefix, plan.kept], [['e0', 'e1'], ['e2', 'e3'], ['e5']])
  t.same(regions, ['summarized', 'summarized', 'turn-prefix', 'turn-prefix', 'kept', 'kept'])
})

t.test('rule 8: a split turn may have no history but the previous summary, or none at all', async (t) => {
  const split = { isSplitTurn: true, firstKeptEntryId: 'last' }
  const rest = [...turn, named('last', assistant(tokens(10)))]
  const before = planOf([user(), compaction({ summary: 'first' }), ...rest], 10)
  t.same([before.cut, before.previousSummary], [{ ...split, turnStartEntryId: 'e2' }, 'first'])
  t.same([before.history, before.turnPrefix], [[], ['e2', 'e3']])
  t.same(cutOf(rest, 10), {
    cut: { ...split, turnStartEntryId: 'e0' },
    history: [],
    turnPrefix: ['e0', 'e1'],
    kept: ['last'],
  })
})

t.test(
  'rule 8: a turn that the previous compaction covers is no split, and all before the cut is the history',
  async (t) => {
    const drafts = [
      user(),
      assistant(tokens(10)),
      compaction({ firstKeptEntryId: 'e1' }),
      assistant(tokens(10)),
      assistant(tokens(10)),
    ]
    t.same(cutOf(drafts, 10), { cut: plainCut('e4'), history: ['e1', 'e3'], turnPrefix: [], kept: ['e4'] })
  },
)

t.test('rule 9: files of covered entries count if the previous compaction has no list of its own', async (t) => {
  const touching = (tool: string, path: string) => assistant(tokens(10), [call(path, tool, { path })])
  const filesAfter = (...compactions: EntryDraft[]) =>
    planOf(
      [
        touching('read', 'before.ts'),
        reset(),
        touching('edit', 'covered.ts'),
        ...compactions,
        user(),
        touching('read', 'new.ts'),
        user(),
        touching('write', 'kept.ts'),
      ],
      20,
    ).files
  t.same(filesAfter(compaction()), { readFiles: ['new.ts'], modifiedFiles: ['covered.ts'] })
  t.same(filesAfter(compaction({ files: { readFiles: [], modifiedFiles: ['listed.ts'] } })), {
    readFiles: ['new.ts'],
    modifiedFiles: ['listed.ts'],
  })
  t.same(filesAfter(compaction({ summary: 'x\n\n<read-files>\ntagged.ts\n</read-files>' })), {
    readFiles: ['new.ts', 'tagged.ts'],
    modifiedFiles: [],
  })
})

t.test('rule 9: files come from history, turn prefix and earlier summaries, never from the kept region', async (t) => {
  const touching = (tool: string, path: string) => assistant(tokens(10), [call(path, tool, { path })])
  const drafts = [
    touching('edit', 'covered.ts'),
    compaction({
      summary: 'first\n\n<files>\n# src/\nlegacy.ts (Read)\nboth.ts (RW)\n</files>',
      files: { readFiles: ['listed.ts:1-5'], modifiedFiles: [] },
    }),
    user(),
    touching('read', 'src/both.ts'),
    branchSummary('', { readFiles: [], modifiedFiles: ['branch.ts'] }),
    touching('read', 'prefix.ts'),
    touching('write', 'kept.ts'),
    branchSummary('', { readFiles: ['kept-branch.ts'], modifiedFiles: [] }),
  ]
  const { files, ...plan } = planOf(drafts, 55)
  t.same(
    [plan.history, plan.turnPrefix, plan.kept],
    [
      ['e2', 'e3'],
      ['e4', 'e5'],
      ['e6', 'e7'],
    ],
  )
  t.same(files, {
    readFiles: ['listed.ts', 'prefix.ts', 'src/legacy.ts'],
    modifiedFiles: ['branch.ts', 'src/both.ts'],
  })
})

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

t.test(
  'each entry of the branch has its region: before the reset, covered, summarized, turn prefix, kept',
  async (t) => {
    t.same(labelEntries(region, { at: 10, firstKept: 9, turnStart: 8 }), [
      ...outside,
      ...['summarized', 'summarized', 'ignored', 'ignored', 'turn-prefix', 'kept', 'kept', 'ignored'],
    ])
  },
)

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
