import t from 'tap'
import { readGroupedPaths } from '../../src/plan/read-grouped-paths.ts'

t.test('rule 3: files stand below the last directory heading, nested by its marks', async (t) => {
  const lines = [
    'top.ts (Read)',
    '# src/',
    'a.ts (Write)',
    '## plan/deep/',
    'b.ts (RW)',
    '### er/',
    'c.ts (Read)',
    '## model/',
    'd (x).ts (Read)',
    '# /etc/',
    'hosts (Read)',
    '[…3 files elided…]',
    '',
  ]
  t.same(readGroupedPaths(lines), {
    readFiles: ['top.ts', 'src/plan/deep/er/c.ts', 'src/model/d (x).ts', '/etc/hosts'],
    modifiedFiles: ['src/a.ts', 'src/plan/deep/b.ts'],
  })
})

t.test('rule 3: a heading that skips a level stands below the last one', async (t) => {
  t.same(readGroupedPaths(['# a/', '#### b/', 'c.ts (Read)', '# d/', 'e.ts (Read)']), {
    readFiles: ['a/b/c.ts', 'd/e.ts'],
    modifiedFiles: [],
  })
})

t.test('a block that was made to fill memory gives no more than a fixed multiple of its size', async (t) => {
  const lines = [`# ${'d'.repeat(4000)}/`, ...Array.from({ length: 1000 }, (_, index) => `${index} (Read)`)]
  const size = lines.join('').length
  const { readFiles } = readGroupedPaths(lines)
  t.ok(readFiles.length > 20, 'an honest list is never that long')
  t.ok(readFiles.join('').length <= 16 * size)
})
