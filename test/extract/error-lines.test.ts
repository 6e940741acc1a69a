import t from 'tap'
import { isErrorLine, namesCause, quotesError, saysCallFailed, stopsProgram } from '../../src/extract/error-lines.ts'
import { findCause, findErrorHints, findErrorLines, findErrors } from '../../src/extract/find-errors.ts'
import { searchedPart } from '../../src/extract/searched-output.ts'
import { Lines } from '../../src/text/lines.ts'

/** Lines that say what went wrong. */
const CAUSES = [
  'TypeError: x is not a function',
  'java.lang.NullPointerException: null',
  'src/a.ts(3,1): error TS2554: Expected 1 arguments',
  'error[E0308]: mismatched types',
  'FAIL src/a.test.ts',
  'The build fails without it',
  'the upload failed',
  'failure in step 3',
  'thread main panicked at src/main.rs:4',
  'fatal: not a git repository',
  'Traceback (most recent call last):',
  'assertion failed: left == right',
  'expected 3, received 4',
  'unexpected token',
  "Cannot read properties of undefined (reading 'id')",
  'unable to resolve host',
  'Permission denied',
  'connection refused',
  'bash: foo: command not found',
  'ls: no such file or directory',
  'Segmentation fault (core dumped)',
  'open ENOENT a.ts',
  'EACCES',
  'connect ECONNREFUSED 127.0.0.1:1',
  '10 failed',
  'version 1.0 failed',
  'a failed=0.5',
  'expected no errors, got 2',
]

/** Lines that say only that something failed. */
const OUTCOMES = [
  'process exited with code 137',
  'exit status 2',
  'exit: 1',
  'Found 3 errors.',
  'assert.equal(total, 4)',
  'Tests run: 5, Failures: 1',
  '2 exceptions',
  'not ok 4 - parses the file',
  '✖ parses the file',
  '  ✗ parses the file',
  '× parses the file',
  'E   3 == 4',
  '\tE   3 == 4',
]

const OTHERS = [
  ...['exit code 0', 'terrors', 'failover', 'it is ok', 'the E 5 road', 'deadpan', ''],
  ...['stg1 : ok=9 changed=2 unreachable=0 failed=0', 'INFO - 1 of 1 configurations passed, 0 failed'],
  ...['Detected 0 errors', 'errors: 0, warnings: 2', 'no errors'],
]

t.test('a line with a cause is an error line', async (t) => {
  for (const line of CAUSES) t.ok(namesCause(line), line)
})

t.test('a line with an outcome alone is an error line only where outcomes are asked for', async (t) => {
  for (const line of OUTCOMES) {
    t.notOk(namesCause(line), line)
    t.ok(isErrorLine(line), line)
  }
})

t.test('no other line is one', async (t) => {
  for (const line of OTHERS) t.notOk(isErrorLine(line), line)
})

t.test('every error line has a hint, wherever it stands and in any case', async (t) => {
  for (const line of [...CAUSES, ...OUTCOMES]) {
    t.same(findErrorHints(line), [0], line)
    t.same(findErrorHints(`a row\n${line}\na row`), [1], line)
    t.same(findErrorHints(`a row\n${line.toUpperCase()}`), [1], line)
  }
})

t.test('error lines come once each, the last one first, with the index of its last place', async (t) => {
  const lines = ['Error: a', 'Error: b', 'a row', '  Error: a', 'a row']
  const places = [...findErrorLines(new Lines(lines.join('\n')), 0, lines.length)]
  t.strictSame(places, [3, 1])
  t.strictSame([...findErrorLines(new Lines(lines.join('\n')), 1, 3)], [1], 'in a range')
  const long = [
    'Error: a',
    ...Array.from({ length: 2000 }, (_, row) => `row ${row}`),
    'Error: b',
    'E  assert',
    'Error: b',
  ]
  t.strictSame([...findErrorLines(new Lines(long.join('\n')), 0, long.length)], [2003, 2002, 0], 'in a long text')
})

t.test('a long output is searched at its beginning and at its end, in whole lines there', async (t) => {
  const rows = Array.from({ length: 4000 }, (_, row) => `row ${row}`)
  const searched = searchedPart(rows.join('\n')).split('\n')
  const gap = searched.findIndex((line, at) => line !== rows[at])
  const first = rows.indexOf(searched[gap + 1] ?? '')
  t.ok(first > gap + 1 && rows.length - first > 1000, 'only the middle is left out')
  t.strictSame(searched.slice(gap + 1), rows.slice(first), 'all lines from there on')
  t.equal(searchedPart('short\n'), 'short\n')
})

t.test('a result that says only that its call has failed is recognized by its beginning', async (t) => {
  const failed = [
    'Error: File not found: /a.ts',
    '<tool_use_error>InputValidationError: TodoWrite failed</tool_use_error>',
    'ENOENT: no such file or directory',
    'The file /a.ts does not exist.',
    'Task #3 not found',
    'Invalid task id',
    'Cannot find the file',
    'The user has refused this tool use.',
    'Permission to use Edit has been denied',
  ]
  const worked = ['# Errors', 'The file a.ts was updated.', 'const error = 1', 'Missing tests:', 'Task #3 created']
  t.strictSame(failed.filter(saysCallFailed), failed)
  t.strictSame(worked.filter(saysCallFailed), [])
})

t.test('an error at the end of an output stops a program, unless it was handled', async (t) => {
  const lines = [
    'TypeError: x',
    'sh: 1: tsc: not found',
    'Error: x, retrying',
    'no error here',
    'AssertionError [ERR]: x',
  ]
  t.strictSame(lines.filter(stopsProgram), ['TypeError: x', 'sh: 1: tsc: not found', 'AssertionError [ERR]: x'])
})

t.test('a quoted error is told from a quoted name or sentence', async (t) => {
  const quotes = ['error: no space left', 'Error handling', 'E_NAME', 'ENOSPC', 'is not defined', 'x is undefined']
  t.strictSame(quotes.filter(quotesError), ['error: no space left', 'ENOSPC', 'x is undefined'])
})

t.test('lines of signs, of a word alone, and about how many tests have run say nothing', async (t) => {
  t.strictSame(findErrors('-----\nRan 1 test in 0.001s\n\nFAILED (failures=1)\n', 3), ['FAILED (failures=1)'])
  t.strictSame(findErrors('FAIL: test_add\nTraceback (most recent call last):\nAssertionError: 0 != 4\n', 2), [
    'FAIL: test_add',
    'AssertionError: 0 != 4',
  ])
  t.strictSame(findErrors('lib/a.ex:57:pattern_match\nThe pattern can never match: unexpected\n\nType:\n:error', 1), [
    'The pattern can never match: unexpected',
  ])
  t.strictSame(findErrors('+ actual - expected\nexpected: 3\n(Current directory: /repo)\nbash-$', 2), ['expected: 3'])
})

t.test('an error that ends with a colon comes with what it announces', async (t) => {
  t.equal(
    findCause('** (BadMapError) expected a map, got:\n\n    [exporter: {:stdout, []}]\n\n    (otp) lists.erl:2471\n'),
    '** (BadMapError) expected a map, got: [exporter: {:stdout, []}]',
  )
  t.equal(findCause('(eval):1: permission denied:\nexit code: 1'), '(eval):1: permission denied:')
  t.equal(findCause('Error: no such table\n  at run (a.ts:1:1)'), 'Error: no such table')
  t.equal(findCause('---'), '')
})

t.test('a line of data names no cause by a word far behind its beginning', async (t) => {
  const data = `[do: %Conn{${'assigns: %{}, '.repeat(40)}resp_body: "error: session_id is required"}]`
  t.strictSame(findErrors(`${data}\n14 doctests, 297 tests, 11 failures\n`, 1), ['14 doctests, 297 tests, 11 failures'])
})

t.test('of tests that have failed, TAP names the innermost, each with what it expected', async (t) => {
  const output = [
    'RangeError: what a command before them has printed',
    'ok 1 - reads',
    'not ok 2 - writes',
    '  ---',
    '  error: |-',
    '    Expected values to be strictly equal:',
    "  code: 'ERR_ASSERTION'",
    '  expected: 60',
    '  actual: 65',
    '  ...',
    'not ok 3 - later # TODO',
    'not ok 4 - sends',
    'not ok 5 - a.test.js',
    "  failureType: 'subtestsFailed'",
    "  error: '2 subtests failed'",
    '# fail 3',
  ].join('\n')
  t.strictSame(findErrors(output, 3), ['not ok 2 - writes (expected: 60, actual: 65)', 'not ok 4 - sends'])
})

t.test('a line that only announces errors is not one: what is complained about says more', async (t) => {
  const hook = String.raw`Pre-commit validation failed:\n\n[CREDO]\nChecking 114 files ...`
  const place = '[D] Nested modules could be aliased.\nlib/a.ex:110:10 #(A.call)'
  t.strictSame(findErrors(`${hook}\n${place}\nTotal: 1`, 2), [
    '[D] Nested modules could be aliased. lib/a.ex:110:10 #(A.call)',
  ])
  t.strictSame(findErrors(`${hook}\nerror: no credo`, 2), ['error: no credo'])
  t.strictSame(findErrors(String.raw`Hook failed:\n\nNot formatted.\nRun mix format.`, 2), ['Hook failed:'])
  t.strictSame(findErrors(String.raw`C:\new\notes: no such file`, 1), [String.raw`C:\new\notes: no such file`])
  t.strictSame(findErrors('fatal: cannot read:\nlib/a.ts:1:2 has another name here', 1), ['fatal: cannot read:'])
})
