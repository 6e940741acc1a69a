import t from 'tap'
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { findLineStart, replaceLoneSurrogates, shorten, truncateMiddle } from '../../src/text/shorten.ts'
import { longText, PROPERTY } from '../prompt/hostile-text.ts'

t.test('surrogates without a partner become U+FFFD, pairs stay', async (t) => {
  t.equal(replaceLoneSurrogates('a\uD83Db\uDE00c\uD83D\uDE00d\uDE00\uD83D'), 'a\uFFFDb\uFFFDc\u{1F600}d\uFFFD\uFFFD')
})

t.test('a text is never cut inside a path, an address or an identifier, unless it has little else', async (t) => {
  const text = 'Never touch migrations/m18.sql, says the user.'
  for (const limit of [22, 26, 29]) t.equal(shorten(text, limit), 'Never touch…', `${limit}`)
  t.equal(shorten(text, 33), 'Never touch migrations/m18.sql,…')
  t.equal(shorten('Run npm_config_registry now', 14), 'Run npm_confi…', 'the words before it are less than a third')
  t.equal(shorten(`https://example.org/${'a'.repeat(50)}`, 30), 'https://example.org/aaaaaaaaa…')
  t.equal(
    shorten('Explain the responsibilities of it', 20),
    'Explain the respons…',
    'the beginning of a word is of use',
  )
})

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
  })

t.test('a text within the limit stays whole', async (t) => {
  t.equal(truncateMiddle('a'.repeat(100), 100), 'a'.repeat(100))
})

t.test('a longer text keeps its head and its tail, with a note of how much is missing', async (t) => {
  const text = `${'h'.repeat(500)}${'t'.repeat(500)}`
  t.equal(truncateMiddle(text, 100), `${'h'.repeat(32)}\n[... 936 characters left out ...]\n${'t'.repeat(32)}`)
})

t.test('it is cut at a line end where one is near, on both sides', async (t) => {
  const lines = Array.from({ length: 50 }, (_, index) => `line ${index + 100}`).join('\n')
  t.equal(
    truncateMiddle(lines, 110),
    'line 100\nline 101\nline 102\nline 103\n[... 379 characters left out ...]\nline 146\nline 147\nline 148\nline 149',
  )
})

t.test('a line end that is far away does not cost the tail', async (t) => {
  const text = `start\n${'x'.repeat(1000)}\nend`
  t.equal(
    truncateMiddle(text, 100),
    `start\n${'x'.repeat(26)}\n[... 946 characters left out ...]\n${'x'.repeat(28)}\nend`,
  )
})

t.test('no surrogate pair is cut, wherever the limit falls, and the result fits', async () => {
  fc.assert(
    fc.property(longText, fc.integer({ min: 100, max: 140 }), (text, limit) => {
      const short = truncateMiddle(text, limit)
      const leftOut = Number(/(\d+) characters left out/.exec(short)?.[1])
      const note = `\n[... ${leftOut} characters left out ...]\n`
      assert.ok(short.length <= limit && !/\p{Surrogate}/u.test(short))
      assert.equal(short.length - note.length, text.length - leftOut)
      const [head = '', tail = ''] = short.split(note)
      assert.ok(text.startsWith(head) && text.endsWith(tail) && head.length > 20 && tail.length > 20)
    }),
    PROPERTY,
  )
})
