import t from 'tap'
import { findErrors } from '../../src/extract/find-errors.ts'

const cases: [name: string, output: string, lines: string[]][] = [
  [
    'the cause, not the note of the exit',
    'ok 1\nTypeError: x is not a function\n\nCommand exited with code 1',
    ['TypeError: x is not a function'],
  ],
  ['each line once', 'Error: a\nError: a', ['Error: a']],
  ['the last lines', 'Error: a\nError: b\nError: c\nError: d', ['Error: b', 'Error: c', 'Error: d']],
  ['marks of a diff are no error', '--- expected\n+++ actual\nAssertionError: no', ['AssertionError: no']],
  ['without a telling line, what stands last', 'one\ntwo', ['one', 'two']],
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
