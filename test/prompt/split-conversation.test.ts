import fc from 'fast-check'
import t from 'tap'
import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'
import { splitConversation } from '../../src/prompt/split-conversation.ts'
import { textOfTokens } from '../support/text-of-tokens.ts'
import { PROPERTY } from './hostile-text.ts'

const message = (letter: string, tokens: number): string => `[User]: ${letter} ${textOfTokens(tokens - 6)}`.trim()

t.test('what fits is one part', async (t) => {
  t.same(splitConversation('[User]: Hi.', { capacityTokens: 100, unit: 'message' }), ['[User]: Hi.'])
  t.same(splitConversation('', { capacityTokens: 100, unit: 'text' }), [''])
})

t.test('messages are dealt to parts of about equal size, none of them cut', async (t) => {
  const messages = Array.from('abcdefghij', (letter) => message(letter, 50))
  const chunks = splitConversation(messages.join('\n\n'), { capacityTokens: 220, unit: 'message' })
  t.same(
    chunks.map((part) =>
      part
        .match(/\[User\]: \w/g)
        ?.map((found) => found.at(-1))
        .join(''),
    ),
    ['abc', 'def', 'ghij'],
  )
  t.equal(chunks.join(''), messages.join('\n\n'))
})

t.test('a message larger than a part loses its middle, with a note of how much', async (t) => {
  const [first, large, last] = splitConversation(
    [message('a', 50), message('b', 1000), message('c', 50)].join('\n\n'),
    {
      capacityTokens: 100,
      unit: 'message',
    },
  )
  t.equal(first?.trim(), message('a', 50))
  t.match(large, /^\[User\]: b [word ]+\n\[\.\.\. \d{4} characters left out \.\.\.\]\n[word ]+\s*$/)
  t.ok(estimateTextTokens(large ?? '') <= 100)
  t.equal(last, message('c', 50))
})

t.test('after a message larger than a part, the others are dealt as without it', async (t) => {
  const messages = [message('a', 1000), ...Array.from('bcdefghi', (letter) => message(letter, 24))]
  const chunks = splitConversation(messages.join('\n\n'), { capacityTokens: 100, unit: 'message' })
  const letters = chunks.map((part) => Array.from(part.matchAll(/\[User\]: (\w)/g), ([, letter]) => letter).join(''))
  t.strictSame(letters, ['a', 'bcde', 'fghi'])
})

t.test('text is cut at blank lines; where that is too coarse at lines, else anywhere but in a pair', async (t) => {
  const capacityTokens = 40
  const text = textOfTokens(30).trim()
  const paragraphs = [`p${text}`, `q${text}`].join('\n \n')
  t.same(splitConversation(paragraphs, { capacityTokens, unit: 'text' }), [`p${text}\n \n`, `q${text}`])
  const lines = [`l${text}`, `m${text}`].join('\n')
  t.same(splitConversation(lines, { capacityTokens, unit: 'text' }), [`l${text}\n`, `m${text}`])
  const pairs = `x${'😀'.repeat(200)}`
  const chunks = splitConversation(pairs, { capacityTokens, unit: 'text' })
  t.equal(chunks.join(''), pairs)
  t.ok(chunks.length > 2 && chunks.every((part) => !/\p{Surrogate}/u.test(part)))
  const behind = splitConversation(`l${text}\n${pairs}`, { capacityTokens, unit: 'text' })
  t.strictSame(behind.join(''), `l${text}\n${pairs}`, 'also behind a line that fits')
  t.ok(behind.every((part) => estimateTextTokens(part) <= capacityTokens))
})

const texts = fc
  .array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.constantFrom('\n', '\n\n', '\n\n[User]: ')))
  .map((pieces) => pieces.join(''))

t.test('no text is lost or repeated, no chunk is too large, and few are nearly empty', async () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 32, max: 300 }), (text, capacityTokens) => {
      const chunks = splitConversation(text, { capacityTokens, unit: 'text' })
      return (
        chunks.join('') === text &&
        chunks.every((part) => estimateTextTokens(part) <= capacityTokens + chunks.length) &&
        chunks.length <= 1 + (2 * estimateTextTokens(text)) / capacityTokens + text.split('\n').length
      )
    }),
    PROPERTY,
  )
})
