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

const aboutPanel = (...drafts: EntryDraft[][]): string | undefined =>
  new WorkNews(pairMessages(buildEntries(drafts.flat()).map(({ message }) => message!))).about(
    'A guard in lib/panel.ex',
  )

t.test(
  'of a file that was changed, the check of all code that passed after its last change is named too',
  async (t) => {
    t.equal(aboutPanel(edited, tested), 'panel.ex changed once, `mix test` passed')
    t.equal(aboutPanel(tested, edited), 'panel.ex changed once')
    t.equal(aboutPanel(edited, did('c', 'bash', { command: 'npm test -- one.test.js' })), 'panel.ex changed once')
    t.equal(aboutPanel(tested), undefined)
  },
)
