import t from 'tap'
import { findWork } from '../../../src/extract/find-work.ts'
import { pairMessages } from '../../../src/extract/runs.ts'
import { writeExtract } from '../../../src/model/embedded/write-extract.ts'
import { sourceOf } from '../../../src/prompt/build-tasks.ts'
import { extractShortSummary } from '../../../src/summary/draft.ts'
import { assistant, buildEntries, call, result, user, type EntryDraft } from '../../support/build-entries.ts'

/** Text without facts: details need a session that is much longer than they are. */
const FILLER = [user('Thanks.'), assistant('Words without weight. '.repeat(900))]

function summaryOf(drafts: readonly EntryDraft[], previousSummary?: string): string {
  const paired = pairMessages(buildEntries([...FILLER, ...drafts]).map(({ message }) => message!))
  const source = sourceOf(paired, previousSummary, findWork(paired))
  return extractShortSummary(writeExtract({ kind: 'history', maxTokens: 13_107, source })).text
}

let calls = 0

function did(name: string, args: unknown, output = 'ok', isError = false): EntryDraft[] {
  const id = `c${++calls}`
  return [assistant('', [call(id, name, args)]), result(id, output, { toolName: name, isError })]
}

const ran = (command: string, output = '', isError = false): EntryDraft[] => did('bash', { command }, output, isError)
const edited = (path: string): EntryDraft[] => did('edit', { path, oldText: 'one', newText: `const ${path} = two` })

/** The statement about the course, with its lines. */
const courseOf = (summary: string): string[] =>
  /^- (?:All|The newest) commands.*(?:\n {2}- .*)*/m.exec(summary)?.[0].split('\n') ?? []

const ALL = '- All commands (but looks), edits and words of the user, in order:'
const NEWEST = '- The newest commands (but looks), edits and words of the user, in order:'

const WORK = [
  user('Repair the parser.'),
  ...ran('cat src/parser.ts', 'export const parser = 1'),
  ...edited('src/parser.ts'),
  ...edited('src/parser.ts'),
  ...edited('src/lexer.ts'),
  ...ran('npm test 2>&1 | tail -5', 'Tests: 1 failed, 3 passed\nTypeError: tokens is undefined', true),
  ...edited('src/lexer.ts'),
  ...ran('npm test 2>&1 | tail -5', 'Tests: 4 passed'),
  ...ran('bd close app-1 --reason="The parser is repaired"', '✓ Closed app-1'),
  ...ran(
    'cd /home/me/app && git add -A && git commit -m "fix: repair the parser"',
    '[main 3f2a1bc] fix: repair the parser\n 2 files changed, 9 insertions(+)',
  ),
  ...ran('git push', 'Everything up-to-date'),
  assistant('The parser is repaired.'),
]

t.test('a status that is an answer, and a program that is not installed, are no failures', async (t) => {
  const note = '\nCommand exited with code 1'
  const drafts = [
    ...ran('./gaps --json', `[\n  {\n    "kind": "gap"\n  }\n]\n${note}`, true),
    ...ran('diff a.txt b.txt', `1c1\n< a\n---\n> b${note}`, true),
    ...ran('aspell list < a.md', `bash: aspell: command not found${note}27`, true),
  ]
  const summary = summaryOf([...WORK, ...drafts])
  t.strictSame(courseOf(summary).slice(-3), [
    '  - `./gaps --json`: exit code 1',
    '  - `diff a.txt b.txt`: exit code 1, printed: > b',
    '  - `aspell list < a.md`: failed (exit code 127), bash: aspell: command not found',
  ])
  t.notMatch(summary, /Error: (?:"kind|bash)/)
})

t.test('a summary says what was run, edited and asked for, in order, with how it ended', async (t) => {
  t.strictSame(
    courseOf(summaryOf([...WORK, user('Now the lexer.'), ...ran('npm test 2>&1 | tail -5', 'Tests: 4 passed')])),
    [
      ALL,
      '  - the user: "Repair the parser."',
      '  - edited parser.ts 2 times, lexer.ts',
      '  - `npm test 2>&1 | tail -5`: failed (error), TypeError: tokens is undefined (passed later)',
      '  - edited lexer.ts',
      '  - `npm test 2>&1 | tail -5`: ok, Tests: 4 passed',
      '  - `bd close app-1`: ok',
      '  - `git commit … fix: repair the parser`: ok, 2 files changed, 9 insertions(+)',
      '  - `git push`: ok',
      '  - the user: "Now the lexer."',
      '  - `npm test 2>&1 | tail -5`: ok, as before',
    ],
  )
})

t.test('files with the same name have their folder, and words after which nothing was done are left out', async (t) => {
  const text = summaryOf([
    ...WORK,
    user('What is a lexer?'),
    assistant('It makes tokens.'),
    user('And now?'),
    ...edited('a/index.ts'),
    ...edited('b/index.ts'),
  ])
  t.strictSame(courseOf(text).slice(-2), ['  - the user: "And now?"', '  - edited a/index.ts, b/index.ts'])
})

t.test('a later summary goes on with the course, and one that is not whole says so', async (t) => {
  const previous = summaryOf(WORK)
  const next = summaryOf([user('Now the lexer.'), ...ran('npm run lint', 'clean')], previous)
  t.strictSame(courseOf(next), [...courseOf(previous), '  - the user: "Now the lexer."', '  - `npm run lint`: ok'])
  const many = Array.from({ length: 100 }, (_, index) => ran(`make step-${index}`, 'done')).flat()
  const [head, ...lines] = courseOf(summaryOf([...WORK, user('Make it.'), ...many]))
  t.equal(head, NEWEST)
  t.equal(lines.length, 60)
  t.equal(lines.at(-1), '  - `make step-99`: ok')
  t.equal(
    courseOf(summaryOf([user('Go on.'), ...ran('npm run lint', 'clean')], summaryOf([...WORK, ...many])))[0],
    NEWEST,
  )
})

t.test('a test that failed and is left out since has not passed', async (t) => {
  const failed = ran('cargo test', 'test live ... FAILED\ntest result: FAILED. 7 passed; 1 failed; 0 ignored', true)
  const passed = (ignored: number): EntryDraft[] =>
    ran('cargo test', `test result: ok. 7 passed; 0 failed; ${ignored} ignored`)
  const linesOf = (ignored: number): string =>
    courseOf(summaryOf([...WORK, ...failed, ...edited('src/a.rs'), ...passed(ignored)])).join('\n')
  t.match(linesOf(0), '`cargo test`: failed (error), 1 of 8 tests failed: live (passed later)')
  t.match(linesOf(1), '`cargo test`: failed (error), 1 of 8 tests failed: live (not seen again later)')
})

t.test(
  'a step is no failure where a commit was made, the user has refused it, or the same check fails at something else',
  async (t) => {
    const red = (name: string): string => `not ok 2 - ${name}\n# pass 4\n# fail 1`
    const lines = courseOf(
      summaryOf([
        ...WORK,
        ...ran('rm -rf build', "The user doesn't want to proceed with this tool use.", true),
        ...ran('npm test', red('the sum'), true),
        ...ran("npm test; git commit -qm 'Add a sum'; git log --oneline -1", `${red('the tax')}\n11d606f Add a sum`),
      ]),
    )
    t.strictSame(lines.slice(-4), [
      '  - `rm -rf build`: refused by the user',
      '  - `npm test`: failed (error), 1 of 5 tests failed: the sum (not seen again later)',
      '  - `npm test`: failed (error), 1 of 5 tests failed: the tax',
      '  - `git commit … Add a sum`: ok',
    ])
  },
)

t.test('a few steps have no course: the other sections have them', async (t) => {
  t.strictSame(courseOf(summaryOf([user('Run it.'), ...edited('a.ts'), ...ran('./run.sh', 'done')])), [])
})

t.test(
  'what the course has of a check and of a fixed error is said there only, and of older steps by itself',
  async (t) => {
    const text = summaryOf(WORK)
    t.equal(text.split('Tests: 4 passed').length, 2)
    t.equal(text.split('TypeError: tokens is undefined').length, 2)
    const many = Array.from({ length: 61 }, (_, index) => ran(`make step-${index}`, 'done')).flat()
    const later = summaryOf([...WORK, user('Make it.'), ...many])
    t.match(
      later,
      '- `npm test 2>&1 | tail -5`: ok, printed: Tests: 4 passed; an earlier run printed: Tests: 1 failed, 3 passed\n',
    )
    t.match(
      later,
      '- Error that was fixed: TypeError: tokens is undefined (`npm test 2>&1 | tail -5` passed later, after changes of lexer.ts)',
    )
  },
)

t.test('where there is no room for details, the newest eight steps stay', async (t) => {
  const entries = buildEntries([...WORK, ...ran('npm run lint', 'clean')])
  const paired = pairMessages(entries.map(({ message }) => message!))
  const source = sourceOf(paired, undefined, findWork(paired))
  const lines = courseOf(writeExtract({ kind: 'history', maxTokens: 13_107, source }))
  t.strictSame(lines, [
    NEWEST,
    '  - edited parser.ts 2 times, lexer.ts',
    '  - `npm test 2>&1 | tail -5`: failed (error), TypeError: tokens is undefined (passed later)',
    '  - edited lexer.ts',
    '  - `npm test 2>&1 | tail -5`: ok, Tests: 4 passed',
    '  - `bd close app-1`: ok',
    '  - `git commit … fix: repair the parser`: ok, 2 files changed, 9 insertions(+)',
    '  - `git push`: ok',
    '  - `npm run lint`: ok',
  ])
})
