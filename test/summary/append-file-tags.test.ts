import t from 'tap'
import { appendFileTags } from '../../src/summary/append-file-tags.ts'

t.test('the tags end the summary, a path a line', async (t) => {
  t.equal(
    appendFileTags('## Goal', { readFiles: ['a.ts', 'b.ts'], modifiedFiles: ['c.ts'] }),
    '## Goal\n\n<read-files>\na.ts\nb.ts\n</read-files>\n\n<modified-files>\nc.ts\n</modified-files>',
  )
})

t.test('a list that is empty gets no tag', async (t) => {
  t.equal(appendFileTags('## Goal', { readFiles: [], modifiedFiles: [] }), '## Goal')
})
