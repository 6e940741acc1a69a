import t from 'tap'
import { findWork } from '../../../src/extract/find-work.ts'
import { pairMessages } from '../../../src/extract/runs.ts'
import { findNumbers } from '../../../src/summary/compare/find-numbers.ts'
import { findKept } from '../../../src/summary/compare/kept-facts.ts'
import { findSessionFacts, type SessionFact } from '../../../src/summary/compare/session-facts.ts'
import { assistant, buildEntries, call, result, user, type EntryDraft } from '../../support/build-entries.ts'

function factsOf(drafts: readonly EntryDraft[]): SessionFact[] {
  const entries = buildEntries(drafts).flatMap(({ id, message }) => (message === undefined ? [] : { id, message }))
  const paired = pairMessages(entries.map(({ message }) => message))
  return findSessionFacts({ entries, runs: paired.runs, work: findWork(paired), previousId: 'earlier' })
}

const textsOf = (facts: readonly SessionFact[]): string[] => facts.map(({ kind, text }) => `${kind}: ${text}`)

t.test('facts are found with their entries, each once', async (t) => {
  const facts = factsOf([
    user('Keep at most 250 rows a page. Never touch lib/old.ts.'),
    assistant('', [
      call('a', 'read', { path: 'src/a.ts' }),
      call('b', 'read', { path: 'src/b.ts' }),
      call('c', 'edit', { path: 'src/a.ts', oldText: '1', newText: '2' }),
    ]),
    ...['a', 'b', 'c'].map((id) => result(id)),
    assistant('', [call('d', 'bash', { command: 'cd app && npm run lint && npm test 2>&1 | tail -5' })]),
    result('d', 'Error: the table has no index on created_at', { isError: true }),
    assistant('', [call('e', 'bash', { command: 'npm test' })]),
    result('e'),
    assistant('', [call('f', 'bash', { command: 'git commit -m "Pages"' })]),
    result('f', '[main 3f2a1bc] Pages have 250 rows'),
    user('ok'),
  ])
  t.strictSame(facts, [
    { kind: 'request', text: 'Keep at most 250 rows a page. Never touch lib/old.ts.', entryIds: ['e0'] },
    { kind: 'demand', text: 'Keep at most 250 rows a page.', entryIds: ['e0'] },
    { kind: 'demand', text: 'Never touch lib/old.ts.', entryIds: ['e0'] },
    { kind: 'changed-file', text: 'src/a.ts', entryIds: ['e1'] },
    { kind: 'read-file', text: 'src/b.ts', entryIds: ['e1'] },
    { kind: 'command', text: 'npm run lint', entryIds: ['e5'] },
    { kind: 'command', text: 'npm test', entryIds: ['e5', 'e7'] },
    { kind: 'error', text: 'Error: the table has no index on created_at', entryIds: ['e6'] },
    { kind: 'number', text: 'Keep at most 250 rows a page', name: '250', entryIds: ['e0'] },
    { kind: 'commit', text: '3f2a1bc Pages have 250 rows', name: '3f2a1bc', entryIds: ['e10'] },
  ])
})

t.test('what only looks, failed edits, pasted numbers and errors of a word are no facts', async (t) => {
  const facts = factsOf([
    user('Why?\n```\nat line 4711 of 9000\n```'),
    assistant('', [
      call('a', 'bash', { command: 'ls src | head -20' }),
      call('b', 'edit', { path: 'src/a.ts', oldText: '1', newText: '2' }),
      call('c', 'bash', { command: 'curl -s http://127.0.0.1:8080/ | jq .a' }),
      call('d', 'bash', { command: 'python3 -c "print(1)"' }),
    ]),
    result('a', 'ls: cannot access src: No such file or directory', { isError: true }),
    result('b', 'Error: it did not match', { isError: true }),
    result('c'),
    result('d', ':error', { isError: true }),
  ])
  t.strictSame(textsOf(facts), ['request: Why? at line 4711 of 9000', 'error: Error: it did not match'])
})

t.test('open items of a list are facts, and those that are done are not', async (t) => {
  const todos = [
    { content: 'Write the lexer', status: 'pending' },
    { content: 'Write the parser', status: 'completed' },
  ]
  const facts = factsOf([
    user('Write both.'),
    assistant('', [call('a', 'TodoWrite', { todos })]),
    result('a', 'Todos have been modified successfully.'),
  ])
  t.strictSame(textsOf(facts), ['request: Write both.', 'open-item: Write the lexer'])
})

t.test('numbers have a few words around them, up to the next number', async (t) => {
  t.strictSame(
    findNumbers(
      'First. The limit of one page is 250 rows, at most 3 columns, 1.5 % of all. See v1.2 and src/10.ts, #42.',
    ),
    [
      { number: '250', text: 'limit of one page is 250 rows, at most 3' },
      { number: '1.5', text: 'at most 3 columns, 1.5 % of all' },
    ],
  )
  t.strictSame(
    findNumbers('412.90 + 78.45 is 491.35').map(({ text }) => text),
    ['412.90 +', '+ 78.45 is', 'is 491.35'],
  )
})

const fact = (kind: SessionFact['kind'], text: string, name?: string): SessionFact => ({
  ...{ kind, text, entryIds: [] },
  ...(name !== undefined && { name }),
})

/** Facts, and a summary that has them, in the words of a model. */
const KEPT: readonly (readonly [SessionFact, string])[] = [
  [fact('request', 'Please make the pages of the report shorter'), '> Please make the pages of the\n> report shorter'],
  [fact('demand', 'Never change the files in lib/vendor'), '- Files in lib/vendor: the user wants no change'],
  [fact('open-item', 'Write the lexer tests'), '1. Tests of the lexer'],
  [fact('changed-file', '/home/u/app/src/core/a.ts'), 'It changed `a.ts`.'],
  [fact('command', 'npm run  lint'), 'Run `NPM run lint` first.'],
  [
    fact('error', 'src/a.ts(3,4): error TS2741: Property kind is missing in type'),
    '`Property "kind" is missing in type`',
  ],
  [fact('number', 'at most 250 rows', '250'), 'Pages have 250 rows.'],
  [fact('commit', '3f2a1bcdef01 Pages', '3f2a1bcdef01'), 'Committed as 3f2a1bc.'],
]

t.test('a summary has a fact in its own way of writing it', async (t) => {
  for (const [one, summary] of KEPT) {
    t.strictSame(findKept([one], summary), [true], one.kind)
    t.strictSame(findKept([one], '## Goal\nA report about 1,250 things, and nothing of it.'), [false], one.kind)
  }
})

t.test('of files with the same name, a summary must name the folder too', async (t) => {
  const facts = [fact('changed-file', 'src/a/index.ts'), fact('read-file', 'src/b/index.ts')]
  t.strictSame(findKept(facts, 'See a/index.ts.'), [true, false])
  t.strictSame(findKept(facts, 'See index.ts.'), [false, false])
})
