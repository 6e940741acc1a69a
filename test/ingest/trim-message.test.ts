import t from 'tap'
import { keepEnds, trimMessage } from '../../src/ingest/trim-message.ts'
import { redactText } from '../../src/redact/redact-text.ts'
import type { Message } from '../../src/session/message.ts'
import { estimateMessageTokens } from '../../src/tokens/estimate-tokens.ts'

const FILE = Array.from({ length: 400 }, (_, number) => `export const row${number} = ${number}`).join('\n')

t.test('of a long text both ends are kept, whole lines, with a note between them', async (t) => {
  const short = keepEnds(FILE, 2000)
  t.ok(short.length < 4100 && short.length > 3800)
  t.match(
    short,
    /^export const row0 = 0\n[^]*\n\[\.\.\. \d+ characters left out \.\.\.\]\nexport const row\d+ = [^]*399$/,
  )
  t.equal(keepEnds(FILE.slice(0, 4000), 2000), FILE.slice(0, 4000))
  t.equal(keepEnds(short, 2000), short, 'a trimmed text is not trimmed again')
})

t.test('a text without lines stays whole: it may be a secret that has no end', async (t) => {
  const token = `eyJ${'aB3dE5fG7h'.repeat(200)}.eyJ${'aB3dE5fG7h'.repeat(250)}.sig`
  for (const text of [token, `The token: ${token}`, `one\n${token}\n${FILE}`])
    t.notMatch(redactText(keepEnds(text, 2000)).text, /aB3dE5fG7h/)
})

t.test('a private key is never split', async (t) => {
  const key = `${FILE}\n-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n${FILE}`
  t.equal(keepEnds(key, 2000), key)
})

t.test('no value is kept without the name that it is assigned to', async (t) => {
  const value = "  'correct-horse-battery'"
  for (let lines = 0; lines < 400; lines += 1) {
    const before = Array.from({ length: lines }, (_, number) => `row ${number} of ${'x'.repeat(number % 50)}`)
    const kept = keepEnds([...before, 'const dbPassword =', value, FILE].join('\n'), 2000)
    if (kept.includes(value)) t.ok(kept.includes(`const dbPassword =\n${value}`), `after ${lines} lines`)
  }
})

const LONG = `${'a row of the ledger, as it was printed\n'.repeat(20_000)}the end`
const text = (value: string) => [{ type: 'text' as const, text: value }]
const MESSAGES: Message[] = [
  { role: 'toolResult', toolCallId: 'a', toolName: 'bash', content: text(LONG), isError: false, isPruned: false },
  { role: 'bashExecution', command: 'make', output: LONG, cancelled: false },
  { role: 'assistant', content: [{ type: 'thinking', thinking: LONG }] },
  {
    role: 'assistant',
    content: [{ type: 'toolCall', id: 'b', name: 'write', arguments: { path: 'a', content: LONG } }],
  },
]

for (const message of MESSAGES)
  t.test(
    `a long ${message.role} is trimmed to what its transcript may show, and its tokens are those of all`,
    async (t) => {
      const small = trimMessage(message, 1000)
      t.ok(JSON.stringify(small).length < 140_000)
      t.equal(small.tokens, estimateMessageTokens(message))
      t.same(trimMessage(small, 1000), small)
      const { tokens: _tokens, ...large } = trimMessage(message, 100_000)
      t.same(large, message, 'a larger budget keeps all of it')
    },
  )

t.test('what the user said and what the assistant said stays whole', async (t) => {
  for (const role of ['user', 'assistant'] as const)
    t.match(trimMessage({ role, content: text(LONG) }, 1000), { content: text(LONG) })
})
