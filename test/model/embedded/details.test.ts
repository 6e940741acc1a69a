import t from 'tap'
import { pairMessages } from '../../../src/extract/runs.ts'
import { sourceOf } from '../../../src/prompt/build-tasks.ts'
import { scorePassages, splitPassages } from '../../../src/model/embedded/passages.ts'
import { writeExtract } from '../../../src/model/embedded/write-extract.ts'
import type { Message } from '../../../src/session/message.ts'
import { extractShortSummary } from '../../../src/summary/draft.ts'
import { estimateTextTokens } from '../../../src/tokens/estimate-tokens.ts'
import { assistant, buildEntries, call, result, user, type EntryDraft } from '../../support/build-entries.ts'

const messagesOf = (drafts: EntryDraft[]): Message[] =>
  buildEntries(drafts).flatMap(({ message }) => (message === undefined ? [] : [message]))

/** Text without facts: details need a session that is much longer than they are. */
const FILLER = [user('Thanks.'), assistant('Words without weight. '.repeat(900))]

const summaryOf = (drafts: EntryDraft[], previousSummary?: string, maxTokens = 13_107): string => {
  const source = sourceOf(pairMessages(messagesOf([...FILLER, ...drafts])), previousSummary)
  return extractShortSummary(writeExtract({ kind: 'history', maxTokens, source })).text
}

/** A statement with its details. */
const statement = (summary: string, head: string): string | undefined =>
  summary
    .split(/\n(?=[-#(]|$)/)
    .find((text) => text.startsWith(head))
    ?.trim()

const write = (id: string, path: string, content: string): EntryDraft[] => [
  assistant('', [call(id, 'write', { path, content })]),
  result(id, 'Written.'),
]

const edit = (id: string, texts: { oldText: string; newText: string }, isError = false): EntryDraft[] => [
  assistant('', [call(id, 'edit', { path: 'src/a.ts', ...texts })]),
  result(id, isError ? 'Not found.' : 'Edited.', { isError }),
]

const WRITTEN = write('w', 'src/a.ts', 'export function load(path: string): Entry {\n}\nexport const LIMIT = 20\n')

t.test('a file has the signatures that it declares now, and its newest edits', async (t) => {
  const text = summaryOf([
    user('Write a.ts.'),
    ...WRITTEN,
    ...edit('e', { oldText: 'export const LIMIT = 20', newText: 'export const MAX = 30\nrun(MAX)' }),
  ])
  t.equal(
    statement(text, '- File'),
    '- File `src/a.ts`, as written:\n  - export function load(path: string): Entry\n  - export const MAX = 30\n  - edit: added: export const MAX = 30 | run(MAX)',
  )
})

t.test('an edit that failed changes nothing, and what a later edit removes is not reported', async (t) => {
  const failed = edit('f', { oldText: 'a', newText: 'function never() {\n}' }, true)
  t.notMatch(summaryOf([user('Go.'), ...WRITTEN, ...failed]), 'never()')
  const undone = [
    ...edit('g', { oldText: '', newText: 'total = 43' }),
    ...edit('h', { oldText: 'total = 43', newText: 'total = 44' }),
  ]
  const text = summaryOf([user('Go.'), ...WRITTEN, ...undone])
  t.match(text, 'added: total = 44')
  t.notMatch(text, 'total = 43')
})

t.test('files of an earlier summary are updated by later edits', async (t) => {
  const first = summaryOf([user('Write a.ts.'), ...WRITTEN])
  const second = summaryOf(
    [user('Change it.'), ...edit('e', { oldText: 'export const LIMIT = 20', newText: 'export const LIMIT = 5' })],
    first,
  )
  t.equal(
    statement(second, '- File'),
    '- File `src/a.ts`, as written:\n  - export function load(path: string): Entry\n  - export const LIMIT = 5\n  - edit: added: export const LIMIT = 5',
  )
  t.match(summaryOf([user('Something else.')], second), 'export function load(path: string): Entry')
})

const ISSUE = `## Acceptance\n- The period must end before midnight.\n- Only totals are rounded.\n\n## No-gos\n- Do not change the schema.\n- Never log addresses.\n${'- Keep the API.\n'.repeat(8)}`

t.test('a document that the agent read is quoted with its source', async (t) => {
  const text = summaryOf([
    user('Work on issue-7.'),
    assistant('', [call('c', 'bash', { command: 'tracker show issue-7' })]),
    result('c', ISSUE),
  ])
  t.match(
    statement(text, '- The agent read'),
    /^- The agent read `tracker show issue-7`:\n {2}- Acceptance: The period must end before midnight\. \/ Only totals are rounded\.\n {2}- No-gos: Do not change the schema\./,
  )
})

t.test('the newest plan replaces earlier ones, and its open items are next steps', async (t) => {
  const plan = (id: string, status: string): EntryDraft[] => [
    assistant('', [
      call(id, 'TodoWrite', {
        todos: [
          { content: 'Parse', status },
          { content: 'Export', status: 'pending' },
        ],
      }),
    ]),
    result(id, 'ok'),
  ]
  const text = summaryOf([user('Go.'), ...plan('a', 'in_progress'), ...plan('b', 'completed')])
  t.equal(statement(text, '- Plan'), '- Plan recorded by `TodoWrite`, newest version:\n  - [pending] Export')
  t.equal(statement(text, '- [x] Plan'), '- [x] Plan recorded by `TodoWrite`, what is done:\n  - [completed] Parse')
})

t.test('an unfinished turn ends with its last tool call and the outcome', async (t) => {
  const text = summaryOf([user('Go on.'), assistant('Now the lexer.', [call('e', 'edit', { path: 'src/b.ts' })])])
  t.match(text, '- Last tool call: `edit` of src/b.ts: no result yet')
})

t.test('a command has the result that it printed, and a fixed error what was changed before it passed', async (t) => {
  const test = (id: string, output: string, isError: boolean): EntryDraft[] => [
    assistant('', [call(id, 'bash', { command: 'npm test' })]),
    result(id, output, { isError }),
  ]
  const text = summaryOf([
    user('Fix it.'),
    ...test('a', 'TypeError: x is not a function', true),
    ...WRITTEN,
    ...test('b', '12 tests, 0 failures', false),
  ])
  t.match(text, '- `npm test`: ok, printed: 12 tests, 0 failures')
  t.match(
    text,
    '- Error that was fixed: TypeError: x is not a function (`npm test` passed later, after changes of a.ts)',
  )
})

t.test('an error stays current while it is unknown whether its command has succeeded since', async (t) => {
  const run = (id: string, output: string, extras: object): EntryDraft[] => [
    assistant('', [call(id, 'bash', { command: './deploy.sh' })]),
    result(id, output, extras),
  ]
  const failed = [user('Deploy it.'), ...run('a', 'Error: the disk is full', { isError: true })]
  const unknown = run('b', 'deployed', { isUnmarked: true })
  const succeeded = run('c', 'deployed', {})
  const current = '\n- Error: Error: the disk is full'
  t.match(summaryOf(failed), current)
  t.match(summaryOf([...failed, ...unknown]), current)
  t.notMatch(summaryOf([...failed, ...unknown, ...succeeded]), current)
})

t.test('a question of the agent and the answer of the user are a decision', async (t) => {
  const asked = [user('Release.'), assistant('Minor or patch?'), user('Minor, this is a big change.')]
  const text = summaryOf([...asked, assistant('Released.'), user('Thanks.')])
  t.match(text, '- The agent asked: "Minor or patch?" The user answered: "Minor, this is a big change."')
  const open = summaryOf(asked)
  t.match(
    open,
    '- Finish the newest request: Minor, this is a big change.\n- It answers the agent\'s question: "Minor or patch?"',
  )
  t.notMatch(open, 'The agent asked', 'the next steps have it')
})

t.test('explanations of the agent are below the turn, and a small session stays small', async (t) => {
  const work = [
    user('Why does it fail?'),
    assistant('The cause is `parse()`: it drops the last row of a file.', [call('c', 'bash', { command: 'ls' })]),
    result('c', 'a.ts'),
    assistant('It is fixed.'),
  ]
  t.match(summaryOf(work), '\n  - The cause is `parse()`: it drops the last row of a file.')
  const source = sourceOf(pairMessages(messagesOf(work)))
  t.notMatch(writeExtract({ kind: 'history', maxTokens: 13_107, source }), '\n  - The cause')
})

t.test('a short conclusion after a look is kept, and what it announces is not', async (t) => {
  const text = summaryOf([
    user('Why is the style not in the commit?'),
    assistant('The CSS is gitignored. Let me check where its source is:', [
      call('c', 'bash', { command: 'ls assets' }),
    ]),
    result('c', 'app.css'),
    assistant('Nobody imports a.ts. Let me look again:', [call('d', 'bash', { command: 'ls lib' })]),
    result('d', 'b.ts'),
    assistant('Now the other folder.', [call('e', 'bash', { command: 'ls src' })]),
    result('e', 'c.ts'),
  ])
  t.match(text, '\n  - The CSS is gitignored.\n  - Nobody imports a.ts.\n')
  t.notMatch(text, 'where its source is')
})

t.test('with a small limit, the room that the words of the user do not need has details', async (t) => {
  const work = Array.from({ length: 500 }, (_, index) => [
    ...write(`w${index}`, `src/part${index % 250}.ts`, `export function part${index}(value: string): number {\n}`),
    assistant(`Part ${index} is changed because \`value${index}\` was wrong. ${`Reason ${index * 7}. `.repeat(10)}`),
  ]).flat()
  const sizeOf = (request: string): number => {
    const source = sourceOf(pairMessages(messagesOf([user(request), ...work])))
    return estimateTextTokens(writeExtract({ kind: 'history', maxTokens: 6000, source }))
  }
  const [few, many] = [sizeOf('Change all parts.'), sizeOf('Change all of the parts. '.repeat(400))]
  t.ok(few > 0.8 * 6000 && few < 0.9 * 6000, `${few} tokens`)
  t.ok(many < 0.78 * 6000, `${many} tokens`)
})

t.test('with details, an extract takes at most 0.6 of the limit', async (t) => {
  const drafts = Array.from({ length: 200 }, (_, index) => [
    user(`Change part ${index}.`),
    ...write(`w${index}`, `src/part${index}.ts`, `export function part${index}(value: string): number {\n}`),
    assistant(`Part ${index} is changed because \`value${index}\` was wrong. ${`Reason ${index * 7}. `.repeat(10)}`),
  ]).flat()
  const tokens = estimateTextTokens(summaryOf(drafts))
  t.ok(tokens > 4000 && tokens < 0.6 * 13_107, `${tokens} tokens`)
})

t.test('ten compactions keep the newest files, and do not grow beyond the second one', async (t) => {
  let summary: string | undefined
  const sizes: number[] = []
  for (let round = 0; round < 10; round++) {
    const files = Array.from({ length: 30 }, (_, index) =>
      write(`${index}`, `src/r${round}/f${index}.ts`, `export function f${round}x${index}(a: string): void {\n}`),
    ).flat()
    summary = summaryOf([user(`Round ${round}.`), ...files, assistant('Done.')], summary)
    sizes.push(estimateTextTokens(summary))
  }
  t.match(summary, 'export function f9x29(a: string): void')
  t.match(summary, 'export function f8x29(a: string): void')
  t.ok(Math.max(...sizes) <= 1.3 * (sizes[1] ?? 0), sizes.join(', '))
})

t.test('passages are paragraphs and introduced lists, without long code and announcements', async (t) => {
  const code = `\`\`\`ts\n${'const a = 1\n'.repeat(40)}\`\`\``
  t.strictSame(
    splitPassages(
      `## Result\n\nThe parser reads tables now.\n\nOpen items:\n\n- the lexer\n- the documentation\n\n${code}\n\n- It reads quotes.\n- It refuses open ones.\n\nAll of the tests pass again.\n\nNow I understand the format.\n\nNow I have all the context. The lexer of the reader comes first.`,
    ),
    [
      'Result The parser reads tables now.',
      'Open items: - the lexer - the documentation',
      'It reads quotes. - It refuses open ones.',
      'All of the tests pass again.',
      'The lexer of the reader comes first.',
    ],
  )
})

t.test('a passage that repeats better ones gets no score', async (t) => {
  const cause = 'The root cause of the failure is the cached theme in `theme.ts`.'
  const [repeated, best] = scorePassages(['The cause of the failure is the cached theme.', cause])
  t.equal(repeated, Number.NEGATIVE_INFINITY)
  t.ok(Number(best) > 0)
})

t.test('a plan of single tasks has each task with its number, its newest words and its state', async (t) => {
  const created = (id: string, subject: string): EntryDraft[] => [
    assistant('', [call(id, 'TaskCreate', { subject, description: '...' })]),
    result(id, `Task #${id} created successfully: ${subject}`),
  ]
  const updated = (id: string, taskId: string, change: object): EntryDraft[] => [
    assistant('', [call(id, 'TaskUpdate', { taskId, ...change })]),
    result(id, `Updated task #${taskId}`),
  ]
  const text = summaryOf([
    user('Build it.'),
    ...[created('1', 'Parse'), created('2', 'Check'), created('3', 'Export')].flat(),
    ...[updated('4', '1', { status: 'completed' }), updated('5', '1', { subject: 'Parse and sort' })].flat(),
    ...[updated('6', '2', { status: 'in_progress' }), updated('7', '3', { subject: 'Export as CSV' })].flat(),
  ])
  const open = '\n  - [in_progress] #2 Check\n  - [pending] #3 Export as CSV'
  t.equal(statement(text, '- Plan'), `- Plan recorded by \`TaskCreate\`, newest version:${open}`)
  const done = '\n  - [completed] #1 Parse and sort'
  t.equal(statement(text, '- [x] Plan'), `- [x] Plan recorded by \`TaskCreate\`, what is done:${done}`)
})

t.test('what the agent announces with a reason is a decision, also if another text follows', async (t) => {
  const text = summaryOf([
    user('Cache the rates.'),
    assistant('Let me keep them in a Map instead of an object because keys come from outside. Let me write it.'),
    assistant('Now it works.'),
  ])
  t.match(text, 'Let me keep them in a Map instead of an object because keys come from outside.')
  t.notMatch(text, 'Let me write it.')
})

t.test('where the agent has looked, what it says in short is kept: "It is already tracked"', async (t) => {
  const text = summaryOf([user('Commit it.'), assistant("It's already tracked by git."), assistant('Committed.')])
  t.match(text, "  - It's already tracked by git.")
})

t.test('where room is short, the issue that is open stays before one that is closed', async (t) => {
  const issue = (id: string) =>
    `${id} · Title [OPEN]\n\n## Acceptance\n- The export of ${id} must end before midnight.\n- It must be rounded.\n\n## No-gos\n- Never log addresses of ${id}.\n${'- Keep the interface as it is for now.\n'.repeat(4)}`
  const show = (id: string): EntryDraft[] => [
    assistant('', [call(id, 'bash', { command: `bd show ${id}` })]),
    result(id, issue(id), { exitCode: 0 }),
  ]
  const close = [
    assistant('', [call('c', 'bash', { command: 'bd close app-2' })]),
    result('c', 'closed', { exitCode: 0 }),
  ]
  const drafts = [user('Work on the epic.'), ...show('app-1'), ...show('app-2'), ...close]
  const text = summaryOf(drafts, undefined, 300)
  t.match(text, 'The export of app-1 must end before midnight.')
  t.notMatch(text, 'The export of app-2')
})

t.test('a part of a document that ends with a colon stays below its document', async (t) => {
  const issue = `${ISSUE}\n## Steps\n${'- Never write the step without its name.\n'.repeat(4)}- These must follow:`
  const text = summaryOf([
    user('Read it.'),
    assistant('', [call('d', 'bash', { command: 'cat ISSUE' })]),
    result('d', issue, { exitCode: 0 }),
  ])
  t.match(statement(text, '- The agent read'), /These must follow:/)
})

t.test('a request on one line has no fences, and what the user wrote around them', async (t) => {
  const text = summaryOf([
    user(
      `Repair this call.\n\n\`\`\`python\ndivision(23, 0)\n\`\`\`\n\nIt fails with the error of line 4. ${'The rows must stay in order. '.repeat(8)}`,
    ),
    ...WRITTEN,
  ])
  const next = text.slice(text.indexOf('## Next Steps')).split('\n')[1]
  t.match(next, 'Finish the newest request: Repair this call. It fails with the')
  t.notMatch(next, '```')
})
