import t from 'tap'
import { findDelimiter, findJsonEnd } from '../../src/session/scan-json.ts'

t.test('the end of a JSON value is found', async (t) => {
  const cases: [text: string, value: string][] = [
    ['"a", b', '"a"'],
    ['"a\\"), b"; c', '"a\\"), b"'],
    ['"\\\\", b', '"\\\\"'],
    ['{"a":"}","b":[1,{}]}, c', '{"a":"}","b":[1,{}]}'],
    ['[[1],["]"]])', '[[1],["]"]]'],
    ['12, b', '12'],
    ['true)', 'true'],
    [', b', ''],
  ]
  for (const [text, value] of cases) t.equal(text.slice(0, findJsonEnd(text, 0)), value, text)
})

t.test('a value that is not closed goes on to the end', async (t) => {
  for (const text of ['"a, b', '"a\\', '"a\\"', '[1, 2', '{"a": "b}', '12 13', '']) {
    t.equal(findJsonEnd(text, 0), text.length, text)
  }
})

t.test('a delimiter is the next comma or closing parenthesis', async (t) => {
  t.equal(findDelimiter('ab,c)', 0), 2)
  t.equal(findDelimiter('ab,c)', 3), 4)
  t.equal(findDelimiter('ab', 0), 2)
})
