import fc from 'fast-check'
import t from 'tap'
import { redactInPieces, startRedaction } from '../../src/redact/redaction.ts'
import { runToEnd } from '../../src/runtime/cooperative.ts'

const KEY = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(9)}-----END PRIVATE KEY-----`

const turn = fc.oneof(
  fc.nat(9000).map((words) => 'word '.repeat(words)),
  fc.constantFrom('token ghp_abcdefghijklmnop1234 at hand', 'password = "hunter2hunter2x9"', 'nothing'),
)

t.test('a long text loses the same secrets in pieces as in one', async (t) => {
  fc.assert(
    fc.property(
      fc.array(turn, { minLength: 5, maxLength: 30, size: 'max' }),
      fc.boolean(),
      fc.boolean(),
      (turns, hasKey, isOn) => {
        const messages = [...turns, hasKey ? KEY : 'end'].map((text) => `[User]: ${text}\n\n`)
        const starts = messages.map((_, index) => messages.slice(0, index).join('').length)
        const text = messages.join('')
        const [one, other] = [startRedaction(isOn), startRedaction(isOn)]
        t.equal(runToEnd(redactInPieces(text, starts, one)), other.text(text))
        t.equal(one.count(), other.count())
      },
    ),
    { numRuns: 50 },
  )
})

t.test('no piece is longer than a message and 32 Ki characters', async (t) => {
  const messages = Array.from({ length: 100 }, (_, number) => `[User]: ${`row ${number} `.repeat(300)}\n\n`)
  const starts = messages.map((_, index) => messages.slice(0, index).join('').length)
  const lengths: number[] = []
  const redaction = startRedaction(true)
  const spied = { ...redaction, text: (text: string) => (lengths.push(text.length), redaction.text(text)) }
  runToEnd(redactInPieces(messages.join(''), starts, spied))
  t.equal(
    lengths.reduce((sum, length) => sum + length, 0),
    messages.join('').length,
  )
  t.ok(lengths.length > 3 && Math.max(...lengths) < 32_768 + 2200)
})
