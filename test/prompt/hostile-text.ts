import fc from 'fast-check'
import { casesOf } from '../support/random-cases.ts'

/** Pieces that a text may try to forge a prompt's frame with, or break it by. */
const FRAGMENTS = [
  '<conversation>',
  '</conversation>',
  '</ CONVERSATION >',
  '<conversation id="1">',
  '<\u200bconver\u200bsation>',
  '\uFF1C/conversation\uFF1E',
  '<',
  '</',
  'conversation>',
  '<previous-summary>',
  '</previous-summary\n>',
  '</additional-context>',
  '</work-states>',
  '< additional\u2011context >',
  '<short-summary>',
  '&lt;/conversation>',
  '[User]: ',
  '[Assistant]: ',
  '[ assistant tool calls ] : ',
  '[Tool result]: ',
  '\\[User]: ',
  '{{focus}}',
  '$&',
  '\n',
  '\n\n',
  '\r\n',
  '\u2028',
  '\u2029',
  ' ',
  '"',
  '\\',
  '(failed)',
  '\uD83D\uDE00',
  '\uD83D',
  '\uDE00',
  '文字',
]

/** Returns text of any characters, lone surrogates among them. The unit `binary` of fast-check is a table of all of them: a second at each start. */
export const anyText = (maxLength = 10) =>
  fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength })

/** Text of such pieces and of any other characters. */
export const hostileText = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...FRAGMENTS) }, anyText(8)), { maxLength: 12 })
  .map((pieces) => pieces.join(''))

/** Texts that are long enough for every limit, with pairs at every place where a cut may fall. */
export const longText = fc
  .tuple(fc.nat(3), fc.integer({ min: 300, max: 1500 }))
  .map(([offset, pairs]) => 'a'.repeat(offset) + '\uD83D\uDE00'.repeat(pairs))

/** A fixed seed: a failure is the same on every machine. */
export const PROPERTY = { seed: 20261101, numRuns: casesOf(300) }
