import t from 'tap'
import { findLeaks } from './support/find-leaks.ts'

const CONTENT = 'The importer shall skip every row that has no price.'

t.test('a part of a line, and a whole key, are found in what was written', async (t) => {
  const written = ['{"msg":"request","detail":"skip every row that has no price"}', 'Bearer one-token']
  t.same(findLeaks({ content: [CONTENT], keys: ['one-token'], written }), [CONTENT, 'one-token'])
})

t.test('what is not there is not', async (t) => {
  const written = ['{"msg":"request","route":"/compaction"}', 'skip every row']
  t.same(findLeaks({ content: [CONTENT], keys: ['one-token'], written }), [])
})
