import t from 'tap'
import { endedRuns, pairMessages } from '../../../src/extract/runs.ts'
import { FileLog } from '../../../src/model/embedded/file-log.ts'
import { assistant, buildEntries, call, result } from '../../support/build-entries.ts'

/** Returns a log after edits of files, one after the other. */
function logOf(paths: readonly string[]): FileLog {
  const drafts = paths.flatMap((path, at) => [
    assistant('', [call(`c${at}`, 'edit', { path, oldText: '', newText: `step ${at}` })]),
    result(`c${at}`, 'Edited.', { toolName: 'edit' }),
  ])
  const messages = buildEntries(drafts).flatMap(({ message }) => (message === undefined ? [] : [message]))
  const log = new FileLog([])
  for (const run of endedRuns(pairMessages(messages))) log.change(run)
  return log
}

const pathsOf = (log: FileLog): string[] => log.files().map(({ path }) => path)

t.test('the file that was changed last is at the end', async (t) => {
  t.strictSame(pathsOf(logOf(['a.ts', 'b.ts', 'a.ts'])), ['b.ts', 'a.ts'])
})

t.test('of 201 files, the one that was not changed for longest is forgotten', async (t) => {
  const first = Array.from({ length: 200 }, (_, at) => `${at}.ts`)
  t.strictSame(pathsOf(logOf([...first, '0.ts', '200.ts'])), [...first.slice(2), '0.ts', '200.ts'])
})
