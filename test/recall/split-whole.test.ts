import fc from 'fast-check'
import t from 'tap'
import { splitWhole } from '../../src/recall/split-whole.ts'

t.test(
  'parts have all of a text but blank lines between them, each at its place, none too long or torn apart',
  async () => {
    const words = fc.array(
      fc.oneof(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.constantFrom('\n', '\n\n', ' ', '🦓'.repeat(900))),
    )
    fc.assert(
      fc.property(words, (pieces) => {
        const text = pieces.join('')
        let end = 0
        for (const part of splitWhole(text)) {
          if (text.slice(end, part.start).trim() !== '' || part.text.length > 1400) return false
          if (text.slice(part.start, part.start + part.text.length) !== part.text) return false
          if (text.isWellFormed() && !part.text.isWellFormed()) return false
          end = part.start + part.text.length
        }
        return text.slice(end).trim() === ''
      }),
    )
  },
)

t.test('a part ends between paragraphs, or else between lines or words', async (t) => {
  const paragraph = `${'word '.repeat(180).trim()}.`
  t.strictSame(
    splitWhole(`${paragraph}\n\n${paragraph}`).map(({ text }) => text),
    [paragraph, paragraph],
  )
  const lines = splitWhole('a line of code\n'.repeat(200))
  t.ok(lines.every(({ text }) => /^(?:a line of code\n?)+$/.test(text)))
  t.ok(splitWhole('word '.repeat(600)).every(({ text }) => text.endsWith('word')))
})
