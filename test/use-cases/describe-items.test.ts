import t from 'tap'
import { openItem, type WorkItem } from '../../src/extract/work-item.ts'
import type { MessageEntry } from '../../src/plan/plan-compaction.ts'
import { describeItems } from '../../src/use-cases/compaction/describe-items.ts'
import { assistant, buildEntries, call, result, user } from '../support/build-entries.ts'

const itemsOf = (items: WorkItem[], history: MessageEntry[] = []) =>
  describeItems({ items, failing: [], commits: [], isInTurn: true }, { history, turnPrefix: [] })

const textsOf = (items: WorkItem[]): string[] => itemsOf(items).map(({ text }) => text)

const step = (text: string, more: Partial<WorkItem> = {}): WorkItem => ({ ...openItem('step', text, -1), ...more })

t.test('the newest request is an item, also if it is an answer to a question in the middle of a turn', async (t) => {
  const answers = [{ question: 'Which?', answer: 'Both, and the docs.' }]
  const history = buildEntries([
    user('Begin.'),
    assistant('', [call('q', 'ask')]),
    result('q', 'Both.', { userAnswers: answers }),
    assistant('Done.'),
  ]) as MessageEntry[]
  const turn = (more: Partial<WorkItem>): WorkItem => ({ ...openItem('request', '', 0), ...more })
  t.match(itemsOf([turn({})], history), [{ kind: 'request', text: 'Both, and the docs.', state: 'open' }])
  t.match(itemsOf([turn({ state: 'said', provenAt: 3 })], history), [{ text: 'Both, and the docs.', state: 'said' }])
})

t.test('headings, files, results of checks and stories of an earlier summary are no items', async (t) => {
  const none = [
    'Fix the two errors in `a.ex`:',
    '`lib/a.rb` (new)',
    '`.dialyzerignore` (new)',
    'All tests pass (297 tests, 0 failures).',
    'The user\'s original request was: "Work on it".',
    'Immediately before the summary request, I was trying to commit.',
    'Working on **dov.3**. Just wrote the file',
  ]
  const work = ['Make all tests pass', 'Fix `a.ex`', '**dov.3** (closed, but not committed)', 'Commit']
  t.strictSame(textsOf([...none, ...work].map((text) => step(text))), work)
})

t.test('a step is left out if another item in the same state says it, and its old state with it', async (t) => {
  const task: WorkItem = { ...openItem('task', 'Trace the async boundaries', 3), state: 'done' }
  t.strictSame(textsOf([task, step('**x.4**: Trace the async boundaries (blocked by x.1)', { state: 'done' })]), [
    task.text,
  ])
  t.strictSame(textsOf([task, step('**x.4**: Trace the async boundaries')]), [
    task.text,
    '**x.4**: Trace the async boundaries',
  ])
  t.strictSame(textsOf([step('**x.3** (in_progress): Add the sidecar', { state: 'done' })]), [
    '**x.3**: Add the sidecar',
  ])
  t.strictSame(textsOf([step('Fix the credo nesting'), step('Fix the credo nesting in groups')]), [
    'Fix the credo nesting in groups',
  ])
})
