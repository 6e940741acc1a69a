import t from 'tap'
import { findFileLists } from '../../src/plan/find-file-lists.ts'
import { findRegion } from '../../src/plan/find-region.ts'
import type { EntryDraft } from '../support/build-entries.ts'
import { branchSummary, buildEntries, compaction, reset, summaryRole, user } from '../support/build-entries.ts'

const details = (name: string) => ({ readFiles: [`${name}-read`], modifiedFiles: [`${name}-modified`] })

const tags = (name: string) => `Text.\n\n<read-files>\n${name}-read\n</read-files>`

/** The names of the lists that are found, in order; what has no file is left out. */
function namesOf(drafts: EntryDraft[], end: number) {
  const lists = [...findFileLists(findRegion(buildEntries(drafts)), end)]
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
