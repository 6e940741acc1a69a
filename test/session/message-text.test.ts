import t from 'tap'
import {
  readToolResultStatus,
  wrapBranchSummary,
  wrapCompactionSummary,
  writeToolResultStatus,
} from '../../src/session/message-text.ts'

t.test('how a tool ended is written as one note, and read back from the first line', async (t) => {
  const cases: [status: { isError: boolean; exitCode?: number }, note: string][] = [
    [{ isError: true }, '(failed)'],
    [{ isError: true, exitCode: 2 }, '(failed, exit code 2)'],
    [{ isError: true, exitCode: 0 }, '(failed, exit code 0)'],
    [{ isError: true, exitCode: -9 }, '(failed, exit code -9)'],
    [{ isError: false, exitCode: 1 }, '(exit code 1)'],
  ]
  for (const [status, note] of cases) {
    t.equal(writeToolResultStatus(status), note)
    t.strictSame(readToolResultStatus(note), { status, text: '' })
    t.strictSame(readToolResultStatus(`${note}\na\n`), { status, text: 'a\n' })
  }
})

t.test('a success has no note', async (t) => {
  t.equal(writeToolResultStatus({ isError: false }), '')
  t.equal(writeToolResultStatus({ isError: false, exitCode: 0 }), '')
})

t.test('other text is no note', async (t) => {
  for (const text of ['', 'failed', '(failed) to run', '()', '(exit code x)', 'a\n(failed)', '(failed, exit code)']) {
    t.strictSame(readToolResultStatus(text), { status: { isError: false }, text })
  }
})

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
