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

t.test('where the folder is known, a file is the same however it is named, and no other one', async (t) => {
  const modifiedFiles = ['old.tf', 'tf/old.tf', '/p/tf/b.tf', '/q/tf/old.tf', 'modules/tf/b.tf']
  const lists = { readFiles: [], modifiedFiles }
  const left = (...deleted: string[]): string[] => existingFiles(lists, deleted, '/p').modifiedFiles
  const without = (...gone: string[]): string[] => modifiedFiles.filter((path) => !gone.includes(path))
  t.same(left('/p/tf/old.tf'), without('tf/old.tf'))
  t.same(left('tf/b.tf'), without('/p/tf/b.tf'))
  t.same(left('/p/tf'), without('tf/old.tf', '/p/tf/b.tf'))
  t.same(left('../tf/old.tf', 'a/old.tf', 'b.tf'), modifiedFiles)
})
