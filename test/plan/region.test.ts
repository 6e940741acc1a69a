import t from 'tap'
import { findFileLists, findRegion } from '../../src/plan/region.ts'
import {
  type EntryDraft,
  branchSummary,
  buildEntries,
  compaction,
  reset,
  summaryRole,
  user,
  assistant,
  modelChange,
  named,
} from '../support/build-entries.ts'
import { regionOf } from '../support/region-of.ts'

const details = (name: string) => ({ readFiles: [`${name}-read`], modifiedFiles: [`${name}-modified`] })

const tags = (name: string) => `Text.\n\n<read-files>\n${name}-read\n</read-files>`

/** The names of the lists that are found, in order; what has no file is left out. */
function namesOf(drafts: EntryDraft[], end: number) {
  const lists = [...findFileLists(regionOf(drafts).region, end)]
  return lists.flatMap(({ readFiles }) => readFiles).map((file) => file.replace('-read', ''))
}

t.test('rule 9: details of compactions and branch summaries up to the cut join', async (t) => {
  const drafts = [
    compaction({ files: details('older') }),
    branchSummary('', details('covered')),
    compaction({ files: details('previous'), firstKeptEntryId: 'e3' }),
    branchSummary('', details('branch')),
    user(),
    branchSummary('', details('kept')),
  ]
  t.same(namesOf(drafts, 4), ['previous', 'older', 'covered', 'previous', 'branch'])
})

t.test('rule 9: the previous compaction joins wherever it stands', async (t) => {
  t.same(namesOf([user(), user(), compaction({ files: details('previous'), firstKeptEntryId: 'e0' })], 1), ['previous'])
})

t.test('rule 9: details that an extension wrote do not join, the tags in its texts do', async (t) => {
  const drafts = [compaction({ summary: tags('previous') }), branchSummary(tags('branch')), user()]
  t.same(namesOf(drafts, 2), ['previous', 'branch'])
})

t.test('rule 9: tags in summaries that are messages join, as the messages form has them', async (t) => {
  const drafts = [summaryRole('compactionSummary', tags('a')), summaryRole('branchSummary', tags('b')), user(tags('c'))]
  t.same(namesOf(drafts, 3), ['a', 'b'])
})

t.test('rule 3: a compaction that cannot be read hands on no files', async (t) => {
  t.same(namesOf([user(), compaction({ isOpaque: true, files: details('opaque') }), user()], 2), [])
})

t.test('rule 1: a compaction or branch summary before the newest reset hands on no files', async (t) => {
  const before = [compaction({ files: details('compaction') }), branchSummary('', details('branch'))]
  t.same(namesOf([...before, reset(), user(), user()], 4), [])
})

const NO_FILES = { readFiles: [], modifiedFiles: [] }

/** The region without what can be read off the branch again. */
function boundsOf(drafts: EntryDraft[]) {
  const { playStart, start, previous } = regionOf(drafts).region
  return { playStart, start, ...(previous && { previous: previous.entry.id, summary: previous.summary }) }
}

t.test('rule 3: without a compaction all of the branch is considered', async (t) => {
  t.same(boundsOf([modelChange(), user(), assistant()]), { playStart: 0, start: 0 })
  t.same(boundsOf([]), { playStart: 0, start: 0 })
})

t.test("rule 3: what is considered begins at the previous compaction's own firstKeptEntryId", async (t) => {
  t.same(boundsOf([user(), assistant(), user(), compaction({ firstKeptEntryId: 'e1' }), user()]), {
    playStart: 0,
    start: 1,
    previous: 'e3',
    summary: 'The story so far.',
  })
})

t.test(
  'rule 3: an id that is not on the branch before the compaction lets it begin after the compaction',
  async (t) => {
    const after = { playStart: 0, start: 2, previous: 'e1', summary: 'The story so far.' }
    const around = (firstKeptEntryId?: string) =>
      boundsOf([user(), compaction(firstKeptEntryId === undefined ? {} : { firstKeptEntryId }), user(), assistant()])
    t.same(around('elsewhere'), after)
    t.same(around('e1'), after, 'the compaction itself')
    t.same(around('e3'), after, 'an entry after it')
    t.same(around(), after, 'no id at all')
  },
)

t.test('rule 3: an id before the last reset lets it begin after the compaction', async (t) => {
  t.same(boundsOf([user(), reset(), user(), compaction({ firstKeptEntryId: 'e0' }), user()]), {
    playStart: 2,
    start: 4,
    previous: 'e3',
    summary: 'The story so far.',
  })
})

t.test('rule 3: only the latest compaction counts', async (t) => {
  const branch = [
    user(),
    compaction({ firstKeptEntryId: 'e0', summary: 'first' }),
    user(),
    compaction({ firstKeptEntryId: 'e2', summary: 'second' }),
  ]
  t.same(boundsOf(branch), { playStart: 0, start: 2, previous: 'e3', summary: 'second' })
})

t.test('rule 3: a compaction that cannot be read is treated as absent', async (t) => {
  const opaque = compaction({ isOpaque: true, firstKeptEntryId: 'e3', summary: 'unreadable' })
  t.same(boundsOf([user(), assistant(), user(), opaque, user()]), { playStart: 0, start: 0 })
  t.same(boundsOf([user(), compaction({ firstKeptEntryId: 'e0' }), user(), opaque, user()]), {
    playStart: 0,
    start: 0,
    previous: 'e1',
    summary: 'The story so far.',
  })
})

t.test('rule 1: what stands before the newest reset boundary is out of play, its compaction too', async (t) => {
  t.same(boundsOf([user(), reset(), user(), compaction(), reset(), user()]), { playStart: 5, start: 5 })
  t.same(boundsOf([user(), reset()]), { playStart: 2, start: 2 })
})

t.test('rule 3: the file tags are removed from the previous summary, and their paths are listed', async (t) => {
  const summary = '## Goal\nShip it.\n\n<read-files>\na.ts\n</read-files>\n\n<modified-files>\nb.ts\n</modified-files>'
  const branch = buildEntries([user(), named('c', compaction({ summary })), user()])
  t.same(findRegion(branch).previous, {
    entry: branch[1],
    index: 1,
    fullSummary: summary,
    summary: '## Goal\nShip it.',
    files: { readFiles: ['a.ts'], modifiedFiles: ['b.ts'] },
  })
})

t.test('rule 3: a previous summary of tags alone counts as missing, and still covers its messages', async (t) => {
  const branch = buildEntries([user(), compaction({ summary: ' \n' }), user()])
  t.same(findRegion(branch).previous, { entry: branch[1], index: 1, fullSummary: ' \n', files: NO_FILES })
  t.equal(findRegion(branch).start, 2)
})
