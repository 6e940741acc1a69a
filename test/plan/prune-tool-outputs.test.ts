import t from 'tap'
import { PART_ARGUMENTS } from '../../src/files/paths.ts'
import { pruneToolOutputs, type PruneSettings } from '../../src/plan/prune-tool-outputs.ts'
import {
  assistant,
  buildEntries,
  call,
  compaction,
  result,
  tokens,
  user,
  type EntryDraft,
} from '../support/build-entries.ts'

const SMALL: PruneSettings = { protectTokens: 100, minimumSavings: 0 }
const pruneIds = (drafts: EntryDraft[], settings: PruneSettings = SMALL) =>
  pruneToolOutputs(buildEntries(drafts), settings).pruned.map(({ entry }) => entry.id)

/** A call of a tool and its result of so many tokens: entries 2n and 2n + 1. */
const step = (id: string, size: number, tool = 'bash', args: unknown = {}): EntryDraft[] => [
  assistant('', [call(id, tool, args)]),
  result(id, tokens(size), { toolName: tool }),
]

t.test('the newest 40,000 tokens of tool output stay, older ones go', async (t) => {
  const drafts = [...step('a', 30_000), ...step('b', 25_000), ...step('c', 40_000)]
  t.same(pruneIds(drafts, {}), ['e1', 'e3'])
})

t.test('an output that straddles the border of what is protected stays', async (t) => {
  t.same(pruneIds([...step('a', 60), ...step('b', 60), ...step('c', 60)]), ['e1'])
})

t.test('nothing is pruned when less than 20,000 tokens would be saved in all', async (t) => {
  const plan = (size: number) => pruneToolOutputs(buildEntries([...step('a', size), ...step('b', 40_000)]))
  t.same(plan(20_000), { pruned: [], tokensSaved: 0, mostTokensSaved: 59_982 })
  t.match(plan(20_009), { pruned: [{ tokens: 20_009 }], tokensSaved: 20_000 })
})

t.test('output of skill and read is never pruned; the request may name others in their place', async (t) => {
  const drafts = [
    ...step('a', 60, 'skill'),
    ...step('b', 60, 'read', { path: 'a' }),
    ...step('c', 60, 'ls'),
    ...step('d', 100),
  ]
  t.same(pruneIds(drafts), ['e5'])
  t.same(pruneIds(drafts, { ...SMALL, protectedTools: ['ls'] }), ['e1', 'e3'])
})

t.test(
  'a read that a later read of the whole file has superseded goes first, also inside the protected part',
  async (t) => {
    const read = (id: string, args: object) => step(id, 60, 'read', args)
    t.same(pruneIds([...read('a', { path: 'a.ts' }), ...read('b', { path: 'a.ts' })]), ['e1'])
    t.same(
      pruneIds([...read('a', { path: 'a.ts:1-5' }), ...read('b', { path: 'a.ts' })]),
      ['e1'],
      'a part is in the whole',
    )
    t.same(
      pruneIds([...read('a', { path: 'a.ts' }), ...read('b', { path: 'a.ts:1-5' })]),
      [],
      'a selector is no whole read',
    )
    t.same(
      pruneIds([...read('a', { path: 'a.ts' }), ...read('b', { path: 'a.ts', offset: 5 })]),
      [],
      'nor is an offset',
    )
    t.same(pruneIds([...read('a', { path: 'a.ts' }), ...read('b', { path: 'b.ts' })]), [], 'another file')
  },
)

/** The arguments with which a read does not show the whole file, or not only this file. */
const PARTS: Record<(typeof PART_ARGUMENTS)[number], unknown> = {
  ...{ offset: 5, limit: 20, start_line: 5, end_line: 20, view_range: [5, 20], range: '5-20', pages: '1-2' },
  ...{ files: ['b.ts'], paths: ['b.ts'] },
}

t.test('each argument that selects a part of a file is known', async (t) => {
  t.strictSame(Object.keys(PARTS).sort(), [...PART_ARGUMENTS].sort())
})

for (const [argument, value] of Object.entries(PARTS))
  t.test(`a read with the argument ${argument} supersedes no read of the whole file`, async (t) => {
    const read = (id: string, args: object) => step(id, 60, 'read', { path: 'a.ts', ...args })
    t.same(pruneIds([...read('a', {}), ...read('b', { [argument]: value })]), [])
    t.same(pruneIds([...read('a', {}), ...read('b', { [argument]: null })]), ['e1'], 'unless it is null')
  })

t.test('a read of several files is superseded by no whole read of one of them: it shows the others too', async (t) => {
  const both = step('a', 60, 'read_files', { paths: ['a.ts', 'b.ts'] })
  const [whole, other] = ['a.ts', 'b.ts'].map((path) => step(path, 60, 'read', { path }))
  t.same(pruneIds([...both, ...(whole ?? [])]), [], 'of the first one')
  t.same(pruneIds([...both, ...(other ?? [])]), [], 'of another one')
  const one = step('a', 60, 'read_files', { paths: ['a.ts'] })
  t.same(pruneIds([...one, ...(whole ?? [])]), ['e1'], 'with one path, it is a read of one file')
})

t.test('a later read that failed, or was pruned, supersedes nothing', async (t) => {
  for (const extras of [{ isError: true }, { isPruned: true }]) {
    const later = [
      assistant('', [call('b', 'read', { path: 'a.ts' })]),
      result('b', tokens(60), { toolName: 'read', ...extras }),
    ]
    t.same(pruneIds([...step('a', 60, 'read', { path: 'a.ts' }), ...later]), [])
  }
})

t.test('superseded reads stay where the request itself names read', async (t) => {
  const drafts = [...step('a', 60, 'read', { path: 'a.ts' }), ...step('b', 60, 'read', { path: 'a.ts' })]
  t.same(pruneIds(drafts, { ...SMALL, protectedTools: ['read'] }), [])
})

t.test('results already pruned stay, and outputs under 50 tokens do', async (t) => {
  t.same(
    pruneIds([
      user(),
      result('x', tokens(60), { isPruned: true }),
      ...step('a', 49),
      ...step('b', 50),
      ...step('c', 100),
    ]),
    ['e5'],
  )
})

t.test('only what is in the current context is looked at', async (t) => {
  const drafts = [...step('a', 60), compaction({ firstKeptEntryId: 'gone' }), ...step('b', 60), ...step('c', 100)]
  t.same(pruneIds(drafts), ['e4'])
})
