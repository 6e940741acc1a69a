import t from 'tap'
import { readCommand } from '../../src/extract/commands.ts'
import { findErrors } from '../../src/extract/find-errors.ts'

const cases: [name: string, output: string, lines: string[]][] = [
  [
    'the cause, not the note of the exit',
    'ok 1\nTypeError: x is not a function\n\nCommand exited with code 1',
    ['TypeError: x is not a function'],
  ],
  [
    'the cause, not the number of failures after it',
    'TypeError: x is not a function\nFound 3 errors.\nnot ok 4 - parses the file',
    ['TypeError: x is not a function', 'not ok 4 - parses the file'],
  ],
  ['not the numbers of unittest', 'AssertionError: 0 != 4\n\nFAILED (failures=1)', ['AssertionError: 0 != 4']],
  ['not the numbers of node --test', 'Error: no\nℹ tests 3\nℹ fail 1', ['Error: no']],
  ['each line once', 'Error: a\nError: a', ['Error: a']],
  ['the last lines', 'Error: a\nError: b\nError: c\nError: d', ['Error: b', 'Error: c', 'Error: d']],
  ['marks of a diff are no error', '--- expected\n+++ actual\nAssertionError: no', ['AssertionError: no']],
  ['without an error line, the last lines', 'one\ntwo', ['one', 'two']],
  ['no values of printed JSON', '[\n  {\n    "kind": "gap",\n    "minutes": 60\n  }\n]', []],
  ['what printed JSON says is wrong', '{\n  "status": 404,\n  "message": "No page"\n}', ['"message": "No page"']],
  ['nothing but the exit', 'Command exited with code 1', []],
  ['an error at the end of a long output', `${'line\n'.repeat(20_000)}Error: at the end`, ['Error: at the end']],
]

for (const [name, output, lines] of cases)
  t.test(name, async (t) => {
    t.strictSame(findErrors(output, 3), lines)
  })

t.test('lines of Codex around an output are no errors', async (t) => {
  const around =
    'Chunk ID: e46562\nWall time: 0.0000 seconds\nProcess exited with code 1\nOriginal token count: 2\nOutput:\n'
  t.strictSame(findErrors(`${around}calc: bad input\n`, 3), ['calc: bad input'])
  t.strictSame(findErrors(around, 3), [])
})

t.test('names of streams and tags around an output are no errors, and what stands behind them is one', async (t) => {
  for (const around of ['[stderr]', '[stderr]\n[stdout]\n[exit code: 2]', '<error>Command failed</error>\n</error>'])
    t.strictSame(findErrors(`${around}\n`, 3), [], around)
  t.strictSame(findErrors('[stderr]\nTypeError: x is not a function', 3), ['TypeError: x is not a function'])
  t.strictSame(findErrors('[stderr] cannot open a.txt', 3), ['[stderr] cannot open a.txt'])
})

t.test('lines of Gemini CLI, OpenHands and Cline around an output are no errors', async (t) => {
  const around = [
    'Command: make\nDirectory: (root)\nStdout: (empty)\nError: (none)\nExit Code: 2\nSignal: (none)',
    '[The command completed with exit code 2.]\n[Current working directory: /repo]\n[Python interpreter: /usr/bin/python]',
    'Command execution was not successful, inspect the cause.\nExit code: 2',
  ]
  for (const lines of around) t.strictSame(findErrors(`bad input error\n${lines}`, 3), ['bad input error'], lines)
})

t.test('a line is shortened word for word, never through a surrogate pair', async (t) => {
  const [line = ''] = findErrors(`Error: ${'😀'.repeat(500)}`, 1)
  t.ok(line.length <= 300)
  t.notMatch(line, /\p{Surrogate}/u)
})

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
