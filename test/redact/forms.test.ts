import t from 'tap'
import { redactMessages } from '../support/redact-messages.ts'
import { redactText } from '../../src/redact/redact-text.ts'
import { growthOf, MAX_GROWTH } from '../support/cpu-time.ts'
import type { Message } from '../../src/session/message.ts'
import { secretCases } from './corpus/secrets.ts'

const windows = (text: string): string => text.replaceAll('\n', '\r\n')
const json = (text: string): string => JSON.stringify({ output: text })
/** As GNU grep writes a match: `ESC[01;31m`, `ESC[K`. */
const match = (word: string): string => `\u001b[01;31m\u001b[K${word}\u001b[m\u001b[K`

/** What programs make of a text. */
const FORMS: Record<string, (text: string) => string> = {
  'line ends of Windows': windows,
  'a string of JSON': json,
  'a string of JSON with line ends of Windows': (text) => json(windows(text)),
  'JSON in JSON': (text) => json(json(text)),
  'JSON in JSON with line ends of Windows': (text) => json(json(windows(text))),
  'lines in colour': (text) =>
    text
      .split('\n')
      .map((line) => match(line))
      .join('\n'),
  'a match in colour': (text) => text.replace(/(?<=[A-Za-z]{2})[A-Za-z]{2,}/, match),
  'numbered lines': (text) =>
    text
      .split('\n')
      .map((line, index) => `${String(index + 1).padStart(6)}→${line}`)
      .join('\n'),
  'output of cat -A': (text) => `PATH=x\n${text}`.split('\n').join('$\n') + '$\n',
}

/** The number of characters in a row that count as a leak. */
const LEAK = 6

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

function isLeaked(secret: string, seen: string): boolean {
  const text = seen.replaceAll(/\[redacted:[a-z-]+\]/g, '')
  return [secret, escaped(secret), escaped(escaped(secret))].some((form) => {
    const size = Math.min(LEAK, form.length)
    for (let at = 0; at + size <= form.length; at++) if (text.includes(form.slice(at, at + size))) return true
    return false
  })
}

/** The secrets of the corpus that are found in a plain text. */
const found = secretCases().flatMap(({ text, secrets }) => {
  const seen = redactText(text).text
  return secrets.filter((secret) => !isLeaked(secret, seen)).map((secret) => ({ text, secret }))
})

for (const [form, write] of Object.entries(FORMS))
  t.test(`each secret that is found in a plain text is found in ${form}`, async (t) => {
    t.ok(found.length > 1000)
    t.same(
      found.flatMap(({ text, secret }) => (isLeaked(secret, redactText(write(text)).text) ? [write(text)] : [])),
      [],
    )
  })

t.test('both parts of a token are found in two texts on two lines that a backslash joins', async (t) => {
  t.same(redactText("t = 'ghp_x4yT9wQ2kLm8ZpR5' \\\n  'vB3nC7dF1gH6jK0s'"), {
    text: "t = '[redacted:github-token]' \\\n  '[redacted:github-token]'",
    redactions: 2,
  })
})

t.test('what programs add around a secret stays', async (t) => {
  for (const [text, left] of [
    [`DB_${match('PASS')}WORD=hunter2x9\r\nPORT=1`, `DB_${match('PASS')}WORD=[redacted:password]\r\nPORT=1`],
    [`DB_PASSWORD=${match('hunter')}2x9\n`, 'DB_PASSWORD=\u001b[01;31m\u001b[K[redacted:password]\n'],
    [`DB_PASSWORD=${match('hunter2x9')}\n`, `DB_PASSWORD=${match('[redacted:password]')}\n`],
    [
      '{"o":"\\u001b[1mPASS\\u001b[0mWORD=hunter2x9\\r\\n"}',
      '{"o":"\\u001b[1mPASS\\u001b[0mWORD=[redacted:password]\\r\\n"}',
    ],
    ['     8→password:\n     9→  "hunter2x9"\n', '     8→password:\n     9→  "[redacted:password]"\n'],
    [
      '<password>\\r\\n<![CDATA[hunter2x9]]>\\r\\n</password>',
      '<password>\\r\\n<![CDATA[[redacted:password]]]>\\r\\n</password>',
    ],
    [
      'curl \\\n\t-u joe:hunter2x9 \\\n  https://x.example',
      'curl \\\n\t-u joe:[redacted:password] \\\n  https://x.example',
    ],
    ['A=1$\nDB_PASSWORD=hunter2x9$\nB=2$\n', 'A=1$\nDB_PASSWORD=[redacted:password]$\nB=2$\n'],
  ] as const)
    t.strictSame(redactText(text), { text: left, redactions: 1 })
})

t.test('a value that colours or escapes hide at one place is known at the others', async (t) => {
  const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] })
  const texts = [
    `DB_PASSWORD=hunter${match('2-Very')}-Secret`,
    'It is hunter2-Very-Secret.',
    `or hunter2${match('-V')}ery-Secret`,
  ]
  t.strictSame(
    redactMessages(texts.map(user)).messages,
    ['DB_PASSWORD=[redacted:password]', 'It is [redacted:password].', 'or [redacted:password]'].map(user),
  )
})

t.test('four times as much of what programs add takes about four times as long', async (t) => {
  for (const part of [
    '\\',
    '\\"',
    '\\n',
    '\\\\n',
    '"',
    '\u001b[1m',
    '\u001b[',
    '\r',
    '\r\n',
    ' \\\n',
    '$\n',
    '$',
    '→',
    '\n 1→',
    ' 1\t',
    ' \\\n \\',
  ])
    t.ok(
      growthOf({
        work: redactText,
        short: part.repeat(40_000 / part.length),
        long: part.repeat(160_000 / part.length),
        measurableMs: 40,
      }) <= MAX_GROWTH,
      JSON.stringify(part),
    )
})
