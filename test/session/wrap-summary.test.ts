import t from 'tap'
import { wrapBranchSummary, wrapCompactionSummary } from '../../src/session/wrap-summary.ts'

t.test('a summary stands as it is between its tags, behind a word on what it is', async (t) => {
  t.equal(
    wrapCompactionSummary('## Goal\n$& stays'),
    'The conversation before this point was compacted into this summary:\n\n<summary>\n## Goal\n$& stays\n</summary>',
  )
  t.equal(
    wrapBranchSummary('It failed.'),
    'The conversation went down another branch and came back from it. This is a summary of that branch:\n\n' +
      '<summary>\nIt failed.\n</summary>',
  )
})
