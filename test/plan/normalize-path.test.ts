import t from 'tap'
import { normalizePath } from '../../src/plan/normalize-path.ts'

const SELECTORS = [
  ':50',
  ':50-200',
  ':50-',
  ':50+10',
  ':50..',
  ':120..140',
  ':L20',
  ':L20+10',
  ':L20-L30',
  ':l20-30',
  ':5-16,960-973',
  ':5,L7,9+2,11..',
  ':raw',
  ':RAW',
  ':conflicts',
  ':1-50:raw',
  ':raw:1-50',
  ':Conflicts:5',
  ':50:12',
]

t.test('rule 9: line selectors after a path do not make another file', async (t) => {
  for (const selector of SELECTORS) t.equal(normalizePath(`src/a.ts${selector}`), 'src/a.ts', selector)
})

t.test('rule 9: what only looks like a selector is part of the path', async (t) => {
  for (const path of [
    'src/a.ts',
    'a:b',
    'a.ts:',
    'a.ts:50-x',
    'a.ts:,5',
    'a.ts:5,,6',
    'a.ts:--5',
    'a.ts:draw',
    'a.ts:raws',
    ':50',
    'a:50/b.ts',
    'C:\\x',
    'C:\\x\\a.ts',
    'C:/x/a.ts',
    'C://x/a.ts',
    '[id]/page (1).tsx',
  ])
    t.equal(normalizePath(path), path)
  t.equal(normalizePath('C:\\x\\a.ts:5-9'), 'C:\\x\\a.ts')
})

t.test('rule 9: a scheme:// path is no file', async (t) => {
  for (const path of ['https://a.example/b.ts', 'artifact://3', 'S3://bucket/a', 'git+ssh://h/a', 'a.ts:conflict://1'])
    t.equal(normalizePath(path), undefined, path)
})

t.test('rule 9: what can be no path in a list is none', async (t) => {
  for (const path of ['', '  ', 'a\nb', 'a\rb', 'x'.repeat(4097)]) t.equal(normalizePath(path), undefined)
  t.equal(normalizePath(' a b.ts '), 'a b.ts')
  t.equal(normalizePath('x'.repeat(4096)), 'x'.repeat(4096))
})
