import t from 'tap'
import { parseNdjson } from '../../src/session/parse-ndjson.ts'
import { problemOf } from '../support/problem-of.ts'

t.test('a value a line, with or without a closing line break, also with Windows line ends', async (t) => {
  t.same(parseNdjson('{"a":1}\n5\n'), [{ a: 1 }, 5])
  t.same(parseNdjson('{"a":1}\r\n5'), [{ a: 1 }, 5])
})

t.test('a broken last line is ignored: an agent may have been stopped while it wrote it', async (t) => {
  t.same(parseNdjson('{"a":1}\n{"b":'), [{ a: 1 }])
})

t.test('any other broken line is named by its number, the first being 0', async (t) => {
  t.same(
    problemOf(() => parseNdjson('{"a":1}\n{"b":\n{"c":1}')),
    {
      type: 'invalid-request',
      faults: [['/entries/1', 'is not JSON']],
    },
  )
})

t.test('a body of one broken line is no session file', async (t) => {
  t.same(problemOf(() => parseNdjson('hello')).faults, [['/entries/0', 'is not JSON']])
})

t.test('a blank line counts as a line, so that pointers stay true', async (t) => {
  t.equal(parseNdjson('{"a":1}\n\n{"c":1}').length, 3)
})
