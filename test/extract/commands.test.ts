import t from 'tap'
import { findErrors, hidesFailure, readCommand, readExitStatus } from '../../src/extract/commands.ts'
import type { ToolResultMessage } from '../../src/session/message.ts'

const cases: [name: string, output: string, lines: string[]][] = [
  [
    'the cause, not the note of the exit',
    'ok 1\nTypeError: x is not a function\n\nCommand exited with code 1',
    ['TypeError: x is not a function'],
  ],
  [
    'the cause, not the number of failures after it',
    'TypeError: x is not a function\nFound 3 errors.\nnot ok 4 - parses the file',
    ['TypeError: x is not a function'],
  ],
  ['each line once', 'Error: a\nError: a', ['Error: a']],
  ['the last lines', 'Error: a\nError: b\nError: c\nError: d', ['Error: b', 'Error: c', 'Error: d']],
  ['marks of a diff are no error', '--- expected\n+++ actual\nAssertionError: no', ['AssertionError: no']],
  ['without an error line, the last lines', 'one\ntwo', ['one', 'two']],
  ['nothing but the exit', 'Command exited with code 1', []],
  ['an error at the end of a long output', `${'line\n'.repeat(20_000)}Error: at the end`, ['Error: at the end']],
]

for (const [name, output, lines] of cases)
  t.test(name, async (t) => {
    t.strictSame(findErrors(output, 3), lines)
  })

t.test('a line is shortened word for word, never through a surrogate pair', async (t) => {
  const [line = ''] = findErrors(`Error: ${'😀'.repeat(500)}`, 1)
  t.ok(line.length <= 300)
  t.notMatch(line, /\p{Surrogate}/u)
})

const HIDDEN: [command: string, output: string, isFailure: boolean][] = [
  ['npm test 2>&1 | tail -20', 'ok 1\n# failed 1 of 9\nnot ok 2 - parses', true],
  ['npx tsc --noEmit | head', 'src/a.ts(3,1): error TS2554: Expected 1 arguments', true],
  ['cd app && pytest -q | tail -3', '=== 2 failed, 7 passed in 0.3s ===', true],
  ['make test; echo done', '--- FAIL: TestParse (0.00s)\ndone', true],
  ['npm test 2>&1 | tail -20', '9 passed, 0 failed', false],
  ['npm test', 'not ok 2 - parses', false],
  ['grep -rn FAILED logs | head', 'FAILED: the old build', false],
  ['cd app && git log --oneline | head', 'FAILED tests fixed', false],
]
for (const [command, output, isFailure] of HIDDEN)
  t.test(
    `${isFailure ? 'a' : 'no'} failure that an exit status does not report: ${JSON.stringify([command, output])}`,
    async (t) => {
      t.equal(hidesFailure(command, output), isFailure)
    },
  )

const call = (name: string, values: unknown) => readCommand({ type: 'toolCall', id: 'c', name, arguments: values })

t.test('the command of a shell tool, under the names that clients give it', async (t) => {
  t.strictSame(
    [
      call('bash', { command: 'ls' }),
      call('Shell', { cmd: 'ls' }),
      call('exec', { command: ['ls', '-l'] }),
      call('read', { command: 'ls' }),
      call('bash', 'ls'),
    ],
    ['ls', 'ls', 'ls -l', undefined, undefined],
  )
})

const result = (fields: Partial<ToolResultMessage>): ToolResultMessage => ({
  role: 'toolResult',
  toolCallId: 'c',
  toolName: 'bash',
  content: [],
  isError: false,
  isPruned: false,
  ...fields,
})

const casesOfReadCommand: [
  name: string,
  fields: Partial<ToolResultMessage>,
  output: string,
  failure: string | undefined,
][] = [
  ['a success', {}, 'ok', undefined],
  ['the exit code of the details', { isError: true, exitCode: 3 }, '', 'exit code 3'],
  ["the exit code in the output's last line", { isError: true }, 'no\n\nCommand exited with code 2', 'exit code 2'],
  ['an exit code of 0', { exitCode: 0 }, '', undefined],
  ['an error without a code', { isError: true }, 'no', 'error'],
]

for (const [name, fields, output, failure] of casesOfReadCommand)
  t.test(name, async (t) => {
    t.equal(readExitStatus(result(fields), output), failure)
  })
