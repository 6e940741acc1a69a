import t from 'tap'
import { existingFiles } from '../../src/summary/assemble-result.ts'

const LISTS = {
  readFiles: ['/p/docs/a.md', '/p/src/read.ts'],
  modifiedFiles: ['/p/src/a.ts', '/p/test/a.ts', '/p/src/b.ts', 'c.ts'],
}

t.test('a file that was deleted is in no list', async (t) => {
  t.same(existingFiles(LISTS, []), LISTS)
  t.same(existingFiles(LISTS, ['/p/src/b.ts', './c.ts', '/p/docs/a.md']), {
    readFiles: ['/p/src/read.ts'],
    modifiedFiles: ['/p/src/a.ts', '/p/test/a.ts'],
  })
})

t.test('a relative path is the only file that ends with it, and says nothing if there are two', async (t) => {
  t.same(existingFiles(LISTS, ['b.ts', 'a.ts']).modifiedFiles, ['/p/src/a.ts', '/p/test/a.ts', 'c.ts'])
  t.same(existingFiles(LISTS, ['src/a.ts']).modifiedFiles, ['/p/test/a.ts', '/p/src/b.ts', 'c.ts'])
})

t.test('the files of a deleted folder are in no list', async (t) => {
  t.same(existingFiles(LISTS, ['/p/src/']), { readFiles: ['/p/docs/a.md'], modifiedFiles: ['/p/test/a.ts', 'c.ts'] })
})
