import t from 'tap'
import { findLineStart, findOpeningLine } from '../../src/prompt/find-line-start.ts'

t.test('a line that begins at the place or behind it', async (t) => {
  t.equal(findLineStart('one\ntwo\nthree', 0), 4)
  t.equal(findLineStart('one\ntwo\nthree', 4), 4)
  t.equal(findLineStart('one\ntwo\nthree', 5), 8)
  t.equal(findLineStart('one\ntwo', 5), undefined)
})

const PARTED = [
  'password =\nvalue',
  'password:\n\n value',
  '"password" =>\nvalue',
  'password\n  = value',
  '"password"\n: value',
]

for (const text of PARTED)
  t.test(`not between a name and its value: ${JSON.stringify(text)}`, async (t) => {
    t.equal(findLineStart(`${text}\nnext`, 0), text.length + 1)
    const lines = text.split('\n')
    t.equal(findOpeningLine(lines, lines.length - 1), 0)
  })

t.test('a line after another that opens nothing stands alone', async (t) => {
  t.equal(findOpeningLine(['one', 'two'], 1), undefined)
  t.equal(findOpeningLine(['one'], 0), undefined)
})
