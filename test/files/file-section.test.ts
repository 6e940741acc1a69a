import t from 'tap'
import { extractFileTags } from '../../src/files/file-tags.ts'

const filesIn = (summary: string) => extractFileTags(summary).files

t.test('the lists that Cline adds to a summary are file lists', async (t) => {
  const summary = '## Goal\nShip.\n\n## Files\nRead:\n- src/a.ts\n- My Notes.md\nModified:\n- src/b.ts\n'
  t.strictSame(extractFileTags(summary), {
    text: summary.trimEnd(),
    files: { readFiles: ['src/a.ts', 'My Notes.md'], modifiedFiles: ['src/b.ts'] },
  })
  const inline = '## Files\nRead: src/a.ts, src/c.ts\nEdited: none\n\n## Next\nRead: x.ts'
  t.strictSame(filesIn(inline), { readFiles: ['src/a.ts', 'src/c.ts'], modifiedFiles: [] })
  t.strictSame(filesIn('## Files\nRead:\n- none\nModified:\n- (none)'), { readFiles: [], modifiedFiles: [] })
})

t.test('a section with words about files is no list, and neither is one below another heading', async (t) => {
  const none = { readFiles: [], modifiedFiles: [] }
  for (const text of [
    '## Files\n- src/a.ts: reads rows',
    '## Files\nModified:\n- src/a.ts: reads rows',
    '## Files\nModified:\n- src/a.ts (new)',
    '## Files\nEdited: a.ts\nThen I stopped.',
    '## State\nRead:\n- src/a.ts',
    'Files\nRead:\n- src/a.ts',
  ])
    t.strictSame(filesIn(text), none, text)
})
