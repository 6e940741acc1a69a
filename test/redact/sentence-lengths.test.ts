import t from 'tap'
import { redactText } from '../../src/redact/redact-text.ts'

const repeat = (text: string, length: number): string => text.repeat(Math.ceil(length / text.length)).slice(0, length)
const digits = (length: number): string => repeat('48291357', length)
const password = (length: number): string => repeat('aB3$dE5%fG7hJ9kL1mN2pQ4rS6tU8vW0xY', length)
const key = (length: number): string => repeat('aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz5Kq8Rn3Tb6Wm1Xc4', length)
const code = (length: number): string => `${repeat('a1b2c3d4e5f6g7', length)}-${repeat('h8j9k0m1n2p3q4', length)}`

/** A sentence with a value, and the lengths of values that are secrets: a shorter or a longer one is none. */
const LIMITS: [name: string, before: string, make: (length: number) => string, lengths: [number, number]][] = [
  ['a PIN', 'The PIN is ', digits, [4, 8]],
  ['a PIN code', 'my pin code is ', digits, [4, 8]],
  ['a password', 'The password is ', password, [6, 200]],
  ['a password in another language', 'Das Passwort ist ', password, [6, 200]],
  ['a password that a program prints', 'Password for user joe: ', password, [8, 200]],
  ['the parts of a recovery code', 'recovery code: ', code, [4, 12]],
]

for (const [name, before, make, [min, max]] of LIMITS)
  t.test(`${name} has ${min} to ${max} characters`, async (t) => {
    const isSecret = (length: number): boolean => {
      const text = before + make(length)
      const { text: left, redactions } = redactText(text)
      if (redactions > 0) t.match(left, /^[^[]*\[redacted:[a-z]+\]$/, `nothing is left of ${length} characters`)
      else t.equal(left, text)
      return redactions === 1
    }
    t.strictSame([min - 1, min, max, max + 1].map(isSecret), [false, true, true, false])
  })

t.test(
  'a key in a sentence has 6 characters or more, one that a program prints 16, and nothing is left of long ones',
  async (t) => {
    for (const [before, min] of [
      ['The API key is ', 6],
      ['Token created: ', 16],
    ] as const)
      for (const [length, isSecret] of [
        [min - 1, false],
        [min, true],
        [400, true],
        [401, true],
        [900, true],
      ] as const) {
        const left = isSecret ? `${before}[redacted:secret]` : before + key(length)
        t.strictSame(redactText(before + key(length)), { text: left, redactions: isSecret ? 1 : 0 }, String(length))
      }
  },
)

t.test('a recovery code has two parts or more, and nothing is left of one with very many', async (t) => {
  const written = (parts: number): string => `recovery code: ${Array.from({ length: parts }, () => 'a1b2').join('-')}`
  t.strictSame(redactText(written(1)), { text: written(1), redactions: 0 })
  for (const parts of [2, 6, 7, 20])
    t.strictSame(redactText(written(parts)), { text: 'recovery code: [redacted:secret]', redactions: 1 }, `${parts}`)
})
