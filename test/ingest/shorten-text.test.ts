import t from 'tap'
import { shortenText } from '../../src/ingest/shorten-text.ts'
import { redactText } from '../../src/redact/redact-text.ts'

const FILE = Array.from({ length: 400 }, (_, number) => `export const row${number} = ${number}`).join('\n')

t.test('of a long file both ends are kept, whole lines, with a note between them', async (t) => {
  const short = shortenText(FILE)
  t.ok(short.length < 4100 && short.length > 3800)
  t.match(
    short,
    /^export const row0 = 0\n[^]*\n\[\.\.\. \d+ characters left out \.\.\.\]\nexport const row\d+ = [^]*399$/,
  )
  t.equal(shortenText(FILE.slice(0, 4000)), FILE.slice(0, 4000))
})

t.test('a text without lines stays whole: it may be a secret that has no end', async (t) => {
  const token = `eyJ${'aB3dE5fG7h'.repeat(200)}.eyJ${'aB3dE5fG7h'.repeat(250)}.sig`
  for (const text of [token, `The token: ${token}`, `one\n${token}\n${FILE}`]) {
    const { text: left } = redactText(shortenText(text))
    t.notMatch(left, /aB3dE5fG7h/)
  }
})

t.test('a private key is never parted', async (t) => {
  const key = `${FILE}\n-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n${FILE}`
  t.equal(shortenText(key), key)
})
