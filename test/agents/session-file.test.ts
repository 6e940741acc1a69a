import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { findInLines } from '../../src/agents/shared/session-file.ts'

t.test('a fact of a session is found in its first lines or, behind a large image, in its last ones', async (t) => {
  const image = JSON.stringify({ message: 'x'.repeat(100_000) })
  const line = (cwd: string): string => JSON.stringify({ cwd })
  const path = join(t.testdir(), 'session.jsonl')
  const findCwd = (lines: readonly string[]): string | undefined => {
    writeFileSync(path, lines.join('\n'))
    return findInLines(path, ({ cwd }) => cwd)
  }
  t.same(
    [
      findCwd([line('/first'), image, line('/last')]),
      findCwd([image, line('/last')]),
      findCwd([image, line('/middle'), image]),
      findCwd([]),
      findInLines(join(t.testdirName, 'missing'), ({ cwd }) => cwd),
    ],
    ['/first', '/last', undefined, undefined, undefined],
  )
})
