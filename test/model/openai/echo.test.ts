import t from 'tap'
import { findNumber, withoutEcho } from '../../../src/model/openai/echo.ts'
import { growthOf, MAX_GROWTH } from '../../support/cpu-time.ts'

const WORDING = 'This model has a maximum context length of 1100 tokens, says the log.'
const LINES = Array.from({ length: 40 }, (_, n) => `[Tool result]: line ${n} of a log that is longer than a few words.`)
const PROMPT = [
  ...LINES.slice(0, 20),
  `[Tool result]: ${WORDING}`,
  'Größe: a line with a letter that JSON may escape.',
  ...LINES.slice(20),
].join('\n')

/** JSON as Python writes it. */
const ascii = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const PYDANTIC = {
  detail: [
    { type: 'string_type', loc: ['body', 'messages'], msg: 'Wrong', input: { content: PROMPT } },
    { loc: ['body', 'max_completion_tokens'], input: 50 },
  ],
}

/** Error texts that repeat the prompt, and what must be left of them. */
const ECHOES: [name: string, text: string, left: RegExp][] = [
  ['FastAPI', `422 ${JSON.stringify(PYDANTIC)}`, /^422 .*max_completion_tokens/],
  ['FastAPI, cut off', `422 ${JSON.stringify(PYDANTIC)}`.slice(0, 2000), /^422 .*Wrong/],
  [
    'FastAPI behind a gateway',
    JSON.stringify({ error: { message: `Upstream: ${JSON.stringify(PYDANTIC)}` } }),
    /Upstream.*Wrong/,
  ],
  ['Python', `400 [{'type': 'extra', 'msg': 'Wrong', 'input': '${PROMPT.replaceAll('\n', '\\n')}'}]`, /Wrong/],
  ['plain text', `The server cannot read this:\n${PROMPT}`, /cannot read this/],
  ['JSON', JSON.stringify({ error: { message: 'Invalid request', body: PROMPT } }), /Invalid request/],
  ['JSON with escapes of Python', ascii({ error: { message: 'Invalid request', body: PROMPT } }), /Invalid request/],
]

for (const [name, text, left] of ECHOES)
  t.test(`${name}: what the server repeats of the prompt is removed`, async (t) => {
    const rest = withoutEcho(text, PROMPT)
    t.match(rest, left)
    t.notMatch(rest, /maximum context length/)
    t.notMatch(withoutEcho(text, Buffer.from(PROMPT)), /maximum context length/, 'whatever the form of the prompt')
  })

const ERRORS = [
  "400 This model's maximum context length is 8192 tokens. However, you requested 9000 tokens",
  '400 {"error":{"message":"prompt is too long: 219898 tokens > 200000 maximum"}}',
  `400 ${WORDING}`,
]

for (const text of ERRORS)
  t.test(`"${text.slice(0, 40)}" is left alone`, async (t) => {
    t.equal(withoutEcho(text, PROMPT), text)
  })

t.test('a number is not read from a wording that was sent as well', async (t) => {
  const patterns = [/context length of (\d+)/, /supports (\d+)/]
  t.equal(findNumber(patterns, WORDING, 'Summarize.'), 1100)
  t.equal(findNumber(patterns, WORDING, PROMPT), undefined)
  t.equal(findNumber(patterns, `${WORDING} It supports 4096.`, PROMPT), 4096)
})

const SLOW: [name: string, text: (length: number) => string][] = [
  ['quotes', (length) => '"'.repeat(length)],
  ['backslashes', (length) => '\\'.repeat(length)],
  ['inputs', (length) => '"input":'.repeat(length / 8)],
  ['letters', (length) => 'a'.repeat(length)],
  ['lists', (length) => `"input":${'['.repeat(length)}`],
]

for (const [name, make] of SLOW)
  t.test(`linear time: ${name}`, async (t) => {
    const work = (text: string) => withoutEcho(text, PROMPT)
    const growth = growthOf({ work, short: make(50_000), long: make(200_000), measurableMs: 50 })
    t.ok(growth <= MAX_GROWTH, `four times the length takes ${growth.toFixed(1)} times as long`)
  })
