import t from 'tap'
import { redactMessages } from '../support/redact-messages.ts'
import { redactText } from '../../src/redact/redact-text.ts'
import { growthOf, MAX_GROWTH } from '../support/cpu-time.ts'
import { createRandom } from './corpus/random.ts'

const random = createRandom('encoded text')
const KEY_LINES = Array.from({ length: 4 }, () => random.base64(64))
const KEY = ['-----BEGIN PRIVATE KEY-----', ...KEY_LINES, '-----END PRIVATE KEY-----'].join('\n')
const encoded = encodeURIComponent(KEY)

/** Percent-encoded texts with secrets, and what is left of them. */
const TEXTS: [text: string, left: string][] = [
  [`/cb?pem=${encoded}&x=1`, '/cb?pem=[redacted:private-key]&x=1'],
  [`pem=${encoded.replaceAll('%20', '+')}`, 'pem=[redacted:private-key]'],
  [encodeURIComponent(encoded), '[redacted:private-key]'],
  [encodeURIComponent(KEY.slice(0, 200)), '[redacted:private-key]'],
  ['user%5Bpassword%5D=Winter2024x&user%5Bname%5D=joe', 'user%5Bpassword%5D=[redacted:password]&user%5Bname%5D=joe'],
  ['X%2DApi%2DKey=aB3dE5fG7hJ9kL1mN2pQ', 'X%2DApi%2DKey=[redacted:secret]'],
  ['?d=%7B%22password%22%3A%22Winter2024x%22%7D', '?d=%7B%22password%22%3A%22[redacted:password]%22%7D'],
  ['postgres%3A%2F%2Fapp%3AWinter2024x%40db%2Fx', 'postgres%3A%2F%2Fapp%3A[redacted:url-password]%40db%2Fx'],
  [
    'a%2520b?to=https%253A%252F%252Fx.example%252F%253Fclient%25255Fsecret%253DaB3dE5fG7hJ9kL1mN2pQ',
    'a%2520b?to=https%253A%252F%252Fx.example%252F%253Fclient%25255Fsecret%253D[redacted:secret]',
  ],
]

for (const [text, left] of TEXTS)
  t.test(`encoded: ${text.slice(0, 60)}`, async (t) => {
    t.strictSame(redactText(`GET ${text} 200`), { text: `GET ${left} 200`, redactions: 1 })
    t.equal(redactText(left).text, left, 'once more')
  })

t.test('text with percent signs that has no secret stays', async (t) => {
  for (const text of ['DB_PASSWORD=%DB_PASSWORD%', '100%25 of a%20b%2Fc', 'printf("%20d%%ab", token)', '%', '%4'])
    t.strictSame(redactText(text), { text, redactions: 0 })
})

t.test('the lines of an encoded key are known elsewhere', async (t) => {
  const { messages } = redactMessages(
    [`?key=${encoded}`, `It has ${String(KEY_LINES[2])}.`].map((text) => ({
      role: 'user' as const,
      content: [{ type: 'text' as const, text }],
    })),
  )
  t.strictSame(messages[1], { role: 'user', content: [{ type: 'text', text: 'It has [redacted:private-key].' }] })
})

t.test('four times as much encoded text takes about four times as long', async (t) => {
  for (const part of ['%25', '%41', '%2525', '%20%', 'a%20', '%41 ', '%22password%22%3A%22', '%253D'])
    t.ok(
      growthOf({ work: redactText, short: part.repeat(5_000), long: part.repeat(20_000), measurableMs: 40 }) <=
        MAX_GROWTH,
      part,
    )
})
