import t from 'tap'
import { pairMessages } from '../../src/extract/runs.ts'
import { WorkNews } from '../../src/extract/work-news.ts'
import { assistant, buildEntries, call, result, type EntryDraft } from '../support/build-entries.ts'

const did = (id: string, name: string, args: unknown, output = 'ok'): EntryDraft[] => [
  assistant('', [call(id, name, args)]),
  result(id, output, { toolName: name }),
]
const edited = did('a', 'edit', { path: 'lib/panel.ex', oldText: 'a', newText: 'b' })
const tested = did('b', 'bash', { command: 'mix test' }, '9 tests, 0 failures')

const newsOf = (drafts: EntryDraft[][]): WorkNews =>
  new WorkNews(pairMessages(buildEntries(drafts.flat()).map(({ message }) => message!)))
const aboutPanel = (...drafts: EntryDraft[][]): string | undefined => newsOf(drafts).about('A guard in lib/panel.ex')

t.test(
  'of a file that was changed, the check of all code that passed after its last change is named too',
  async (t) => {
    t.equal(aboutPanel(edited, tested), 'panel.ex changed once, `mix test` passed')
    t.equal(aboutPanel(tested, edited), 'panel.ex changed once')
    t.equal(aboutPanel(edited, did('c', 'bash', { command: 'npm test -- one.test.js' })), 'panel.ex changed once')
    t.equal(aboutPanel(tested), undefined)
  },
)

t.test('files that were changed after the last commit that has them are in none', async (t) => {
  const ran = (command: string, output = '') => did('g', 'bash', { command }, output)
  const wrote = (path: string) => did('w', 'write', { path, content: 'x' })
  const open = (...drafts: EntryDraft[][]): string[] => [...newsOf(drafts).uncommitted().paths]
  const committed = ran('git add lib/panel.ex && git commit -m "Guard"', '[main 3f2a1bc] Guard\n 1 file changed')
  t.same(open(edited, wrote('a.ts')), ['lib/panel.ex', 'a.ts'], 'nothing commits here')
  t.same(open(edited, wrote('a.ts'), committed), ['a.ts'])
  t.same(open(edited, committed, edited, ran("printf 'data/*' > .gitignore")), ['lib/panel.ex', '.gitignore'])
  t.same(open(committed, wrote('/tmp/x.ts'), wrote('b.ts'), ran('rm b.ts')), [])
  t.same(open(committed, ran('{ echo a; for f in *; do echo $f; done; } > docs/a.md; npm test > "$out" 2>/dev/null')), [
    'docs/a.md',
  ])
  t.same(open(committed, ran('sed -i s/a/b/ lib/old.ex'), ran('cp a.ts b.ts')), ['lib/old.ex', 'b.ts'], 'in place')
  t.same(open(committed, edited, ran('git checkout lib/panel.ex')), [], 'it was set back')
  t.same(open(committed, edited, ran('git commit -qam "Panel"')), [])
  t.same(
    open(committed, wrote('a.ts'), ran('git commit -m "More"', '[main 4f2a1bc] More')),
    [],
    'its files are not known',
  )
  t.same(open(committed, wrote('tf/b.ts'), wrote('b.ts'), ran('cd tf && git rm -q b.ts')), ['b.ts'], 'in its folder')
  const earlier = { paths: ['lib/panel.ex', 'c.ts'], hasOthers: true }
  t.same(newsOf([committed]).uncommitted(earlier), { paths: ['c.ts'], hasOthers: false }, 'those of an earlier summary')
  t.same(newsOf([wrote('d.ts')]).uncommitted(earlier), { paths: [...earlier.paths, 'd.ts'], hasOthers: true })
  t.same(open(committed, wrote('/home/me/app/b.ts'), wrote('./app/b.ts')), ['app/b.ts'], 'one file, named twice')
  const status = ran('git status', 'On branch main\nnothing to commit, working tree clean')
  t.same(open(committed, wrote('a.ts'), status, wrote('b.ts')), ['b.ts'], 'git says that all is committed')
})
