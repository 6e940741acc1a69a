import fc from 'fast-check'
import t from 'tap'
import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'
import { splitConversation } from '../../src/prompt/split-conversation.ts'
import { textOfTokens } from '../support/text-of-tokens.ts'
import { PROPERTY } from './hostile-text.ts'
import { runSteps } from '../../src/runtime/cooperative.ts'

const message = (letter: string, tokens: number): string => `[User]: ${letter} ${textOfTokens(tokens - 6)}`.trim()

t.test('what fits is one part', async (t) => {
  t.same(runSteps(splitConversation('[User]: Hi.', { capacityTokens: 100, unit: 'message' })), ['[User]: Hi.'])
  t.same(runSteps(splitConversation('', { capacityTokens: 100, unit: 'text' })), [''])
})

t.test('messages are dealt to parts of about equal size, none of them cut', async (t) => {
  const messages = Array.from('abcdefghij', (letter) => message(letter, 50))
  const parts = runSteps(splitConversation(messages.join('\n\n'), { capacityTokens: 220, unit: 'message' }))
  t.same(
    parts.map((part) =>
      part
        .match(/\[User\]: \w/g)
        ?.map((found) => found.at(-1))
        .join(''),
    ),
    ['abc', 'def', 'ghij'],
  )
  t.equal(parts.join(''), messages.join('\n\n'))
})

t.test('a message larger than a part loses its middle, with a note of how much', async (t) => {
  const [first, large, last] = runSteps(
    splitConversation([message('a', 50), message('b', 1000), message('c', 50)].join('\n\n'), {
      capacityTokens: 100,
      unit: 'message',
    }),
  )
  t.equal(first?.trim(), message('a', 50))
  t.match(large, /^\[User\]: b [word ]+\n\[\.\.\. \d{4} characters left out \.\.\.\]\n[word ]+\s*$/)
  t.ok(estimateTextTokens(large ?? '') <= 100)
  t.equal(last, message('c', 50))
})

t.test('text is cut at blank lines; where that is too coarse at lines, else anywhere but in a pair', async (t) => {
  const capacityTokens = 40
  const text = textOfTokens(30).trim()
  const paragraphs = [`p${text}`, `q${text}`].join('\n \n')
  t.same(runSteps(splitConversation(paragraphs, { capacityTokens, unit: 'text' })), [`p${text}\n \n`, `q${text}`])
  const lines = [`l${text}`, `m${text}`].join('\n')
  t.same(runSteps(splitConversation(lines, { capacityTokens, unit: 'text' })), [`l${text}\n`, `m${text}`])
  const pairs = `x${'😀'.repeat(200)}`
  const parts = runSteps(splitConversation(pairs, { capacityTokens, unit: 'text' }))
  t.equal(parts.join(''), pairs)
  t.ok(parts.length > 2 && parts.every((part) => !/\p{Surrogate}/u.test(part)))
})

const texts = fc
  .array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.constantFrom('\n', '\n\n', '\n\n[User]: ')))
  .map((pieces) => pieces.join(''))

t.test('nothing of a text is lost or told twice, no part is too large, and few are nearly empty', async () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 32, max: 300 }), (text, capacityTokens) => {
      const parts = runSteps(splitConversation(text, { capacityTokens, unit: 'text' }))
      return (
        parts.join('') === text &&
        parts.every((part) => estimateTextTokens(part) <= capacityTokens + parts.length) &&
        parts.length <= 1 + (2 * estimateTextTokens(text)) / capacityTokens + text.split('\n').length
      )
    }),
    PROPERTY,
  )
})
