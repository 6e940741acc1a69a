import fc from 'fast-check'
import t from 'tap'
import { createWordFinder } from '../../src/text/find-in-text.ts'

const find = (words: readonly string[], text: string): [string, number][] => {
  const found: [string, number][] = []
  createWordFinder(words)(text, (word, start) => found.push([word, start]))
  return found
}

t.test('words are found in any case, within each other too, the longest first where they end together', async (t) => {
  t.same(find(['she', 'HE', 'hers', 'his'], 'Ushers: HE'), [
    ['she', 1],
    ['HE', 2],
    ['hers', 2],
    ['HE', 8],
  ])
})

t.test('a word is found where texts are read in pieces', async (t) => {
  t.same(find(['error', '✖'], `${'x'.repeat(4093)}error✖`), [
    ['error', 4093],
    ['✖', 4098],
  ])
})

t.test('nothing is found in an empty text, nor what began in the one before', async (t) => {
  const finder = createWordFinder(['error'])
  const found: number[] = []
  for (const text of ['', 'err', 'or', 'Error'])
    finder(text, (_word, start) => {
      found.push(start)
    })
  t.same(found, [0])
})

t.test('while a finder calls back, another one can search', async (t) => {
  const other = createWordFinder(['c'])
  const found: number[] = []
  createWordFinder(['ab'])('ab ab ab', (_word, start) => {
    found.push(start)
    other('xxxxxxxx', () => t.fail())
  })
  t.same(found, [0, 3, 6])
})

const letters = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'B', '-', '✖', 'é'), minLength: 1, maxLength })

t.test('each place where a word stands is found, and no other', async (t) => {
  fc.assert(
    fc.property(fc.uniqueArray(letters(5), { minLength: 1, maxLength: 8 }), letters(200), (words, text) => {
      const lower = (one: string): string => one.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
      const expected = words.flatMap((word) =>
        Array.from({ length: text.length }, (_, start) => start)
          .filter((start) => lower(text).startsWith(lower(word), start))
          .map((start): [string, number] => [word, start]),
      )
      t.same(new Set(find(words, text).map(String)), new Set(expected.map(String)))
    }),
  )
})

t.test('more words than a table has room for are refused', async (t) => {
  const words = Array.from({ length: 3000 }, (_, number) => `${number} words`)
  t.throws(() => find(words, '1'), { message: 'There are too many words for one automaton.' })
})
