import t from 'tap'
import { resumeRedaction, startRedaction } from '../../src/redact/redaction.ts'
import { redactMessages } from '../support/redact-messages.ts'
import { KnownValues } from '../../src/redact/known/known-values.ts'
import type { Message } from '../../src/session/message.ts'
import { growthOf, MAX_GROWTH } from '../support/cpu-time.ts'

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] })

/** What is left of texts, each one a message. */
const redactTexts = (...texts: string[]): string[] =>
  redactMessages(texts.map(user)).messages.flatMap((message) =>
    message.role === 'user' ? message.content.map((block) => (block.type === 'text' ? block.text : '')) : [],
  )

t.test('a value that is recognized once is replaced in all messages, also in earlier ones', async (t) => {
  t.strictSame(
    redactTexts(
      'The db accepts hunter2-Very-Secret now.',
      'DB_PASSWORD=hunter2-Very-Secret',
      'curl https://x.example/hunter2-Very-Secret/a?%3Dhunter2-Very-Secret, "hunter2-Very-Secret", _hunter2-Very-Secret_',
    ),
    [
      'The db accepts [redacted:password] now.',
      'DB_PASSWORD=[redacted:password]',
      'curl https://x.example/[redacted:password]/a?%3D[redacted:password], "[redacted:password]", _[redacted:password]_',
    ],
  )
})

t.test('a value is replaced where it is written in HTML, JSON or an address', async (t) => {
  const value = `hunter2&Very<Secret"x`
  const [code, html, json, address] = redactTexts(
    `DB_PASSWORD='${value}'`,
    '<b>hunter2&amp;Very&lt;Secret&quot;x</b>',
    `It is ${JSON.stringify(value)}.`,
    `See ${encodeURIComponent(value)} there.`,
  )
  const gone = '[redacted:password]'
  t.strictSame(
    [code, html, json, address],
    [`DB_PASSWORD='${gone}'`, `<b>${gone}</b>`, `It is "${gone}".`, `See ${gone} there.`],
  )
})

t.test('a value is replaced in arguments, their keys, commands, thinking and names of tools', async (t) => {
  const { messages, redactions } = redactMessages([
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'It is hunter2-Very-Secret.' },
        {
          type: 'toolCall',
          id: 'hunter2-Very-Secret',
          name: 'use hunter2-Very-Secret',
          arguments: { note: ['hunter2-Very-Secret'], 'hunter2-Very-Secret': 1, password: 'hunter2-Very-Secret' },
        },
      ],
    },
    { role: 'bashExecution', command: 'echo hunter2-Very-Secret', output: 'hunter2-Very-Secret\n', cancelled: false },
  ])
  t.equal(redactions, 7)
  const gone = '[redacted:password]'
  t.strictSame(messages, [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: `It is ${gone}.` },
        {
          type: 'toolCall',
          id: 'hunter2-Very-Secret',
          name: `use ${gone}`,
          arguments: { note: [gone], [gone]: 1, password: gone },
        },
      ],
    },
    { role: 'bashExecution', command: `echo ${gone}`, output: `${gone}\n`, cancelled: false },
  ])
})

t.test('a value is replaced with the escapes of JSON and of addresses too', async (t) => {
  t.strictSame(redactTexts(`"password": "pa\\"ss w0rd/x"`, 'It is pa"ss w0rd/x.', '?p=pa%22ss%20w0rd%2Fx'), [
    `"password": "[redacted:password]"`,
    'It is [redacted:password].',
    '?p=[redacted:password]',
  ])
})

t.test('each line of a private key is known', async (t) => {
  const line = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY'.repeat(2)
  t.strictSame(
    redactTexts(
      `-----BEGIN PRIVATE KEY-----\n${line}\nabC4=\n-----END PRIVATE KEY-----`,
      `The second line is ${line}.`,
    ),
    ['[redacted:private-key]', 'The second line is [redacted:private-key].'],
  )
})

/** Sentences in which a word of code stands before a secret: it is no name there. */
const SENTENCES = [
  'Now type q7Zk9P2x and press enter.',
  'It has the type q7Zk9P2x',
  'Please import q7Zk9P2x into the vault.',
  'Take the new q7Zk9P2x, not the old one.',
  'let q7Zk9P2x be the password',
  'the class q7Zk9P2x has it',
]

for (const text of SENTENCES)
  t.test(`is no name: ${text}`, async (t) => {
    t.equal(redactTexts('DB_PASSWORD=q7Zk9P2x', text)[1], text.replace('q7Zk9P2x', '[redacted:password]'))
  })

t.test('a secret of letters alone that is no word is replaced everywhere', async (t) => {
  for (const value of ['xKqZwTnBvLpR', 'qZkPxWvT', 'xkqzwtnbvlpr'])
    t.equal(redactTexts(`DB_PASSWORD=${value}`, `It is ${value}.`)[1], 'It is [redacted:password].', value)
})

/** Recognized values that mean something else at other places: what they are, and the text that must stay. */
const STAY: [value: string, text: string][] = [
  ['DB_PASSWORD=production', 'Deploy to production, then restart.'],
  ['REDIS_PASSWORD=short1x', 'The short1x stays: it has seven characters.'],
  ['DB_PASSWORD="session_id"', 'The cookie session_id is set.'],
  ['DB_PASSWORD=user-profile', 'Open user-profile now.'],
  ['DB_PASSWORD=12345678', 'The id is 12345678.'],
  ['DB_PASSWORD=abcd12345', 'commit 0abcd123459 fixes it'],
  ['DB_PASSWORD=getUser2x', 'const user = getUser2x(id)'],
  ['DB_PASSWORD=getUser2x', 'return getUser2x(id)'],
  ['DB_PASSWORD=hashValue1', 'return this.hashValue1'],
  ['DB_PASSWORD=hashValue1', 'let hashValue1 = 7'],
  ['DB_PASSWORD=hashValue1', 'export type hashValue1 = string'],
  ['DB_PASSWORD=hashValue1', 'class hashValue1 extends Value {'],
  ['DB_PASSWORD=hashValue1', "import { hashValue1 } from './hash'"],
  ['DB_PASSWORD=hashValue1', 'from hash import hashValue1'],
  ['DB_PASSWORD=getUserId', 'Call getUserId first.'],
  ['POSTGRES_PASSWORD=myapp2024', 'Edit src/myapp2024/routes.ts, not myapp2024.config.js.'],
  ['POSTGRES_PASSWORD=myapp2024', 'cd myapp2024 && ls ~/work/myapp2024'],
  ['POSTGRES_PASSWORD=my-app-2024', 'open packages/my-app-2024/index.ts'],
  ['POSTGRES_PASSWORD=myapp2024', 'POSTGRES_DB=myapp2024'],
  ['POSTGRES_PASSWORD=myapp2024', '{"name": "myapp2024"}'],
  ['DB_PASSWORD=Sommerregen', 'Ein Sommerregen kommt.'],
  ['url=postgres://app:postgres@db/x', 'The image postgres is pulled.'],
  ['url=smtp://joe:joe2@acme.example:joe@acme.example@mail.example', 'Write to joe@acme.example.'],
]

for (const [value, text] of STAY)
  t.test(`stays: ${text}`, async (t) => {
    t.equal(redactTexts(value, text)[1], text)
  })

/** Places where names stand: what looks random is no name there. */
const NAME_PLACES = [
  '*()',
  '*("a")',
  'x.*',
  'user=*',
  'const * = 1',
  "import * from 'x'",
  'src/*/a.ts',
  'cd *',
  '"db": "*"',
]

t.test('a random value at the place of a name is replaced there, and at every other place', async (t) => {
  for (const value of ['q7Zk9P2x', 'aX4kPq9Zt2Lm', 'c20136384881e3de', 'u7BD8g6DA7vVCwoikhnFmmP5'])
    for (const place of [...NAME_PLACES, '*.json', 'See *.'])
      t.notMatch(redactTexts(`DB_PASSWORD=${value}`, place.replace('*', value), `It is ${value}.`).join(), value, place)
  const files = { readFiles: ['notes/q7Zk9P2x.json'], modifiedFiles: ['q7Zk9P2x'] }
  const redaction = startRedaction(true, { texts: ['DB_PASSWORD=q7Zk9P2x'], files })
  t.equal(redaction.text('It is q7Zk9P2x.'), 'It is [redacted:password].')
})

t.test('a secret in an address, in a sentence or before a line end is no name', async (t) => {
  for (const text of [
    'https://x.example/app2024x/a.txt',
    'joe/app2024x',
    'Use app2024x/joe.',
    JSON.stringify({ o: 'a\nPASSWORD=app2024x\nb/c' }),
    'A=1\nDB_PASSWORD=app2024x\nB=2',
  ])
    t.notMatch(redactTexts('DB_PASSWORD=app2024x', text)[1], 'app2024x', text)
})

t.test('a value is found in Base64, at each place of a group', async (t) => {
  const basic = (user: string): string => Buffer.from(`${user}:hunter2-Very`).toString('base64')
  for (const user of ['a', 'jo', 'joe', 'admin'])
    t.equal(
      redactTexts('DB_PASSWORD=hunter2-Very', `It sends ${basic(user)} and fails.`)[1],
      'It sends [redacted:base64] and fails.',
    )
})

t.test('each of many values that end alike is known', async (t) => {
  const values = Array.from({ length: 300 }, (_, index) => `${(index * 7919).toString(36)}xQ7-same-end-1a`)
  const known = new KnownValues(values.map((value) => [value, 'x']))
  t.same(
    values.filter((value) => known.find(`the ${value} is`).length !== 1),
    [],
  )
  const short = new KnownValues([...values, 'same-end-1a', 'end-1a9z'].map((value) => [value, 'x']))
  t.strictSame(short.find('a same-end-1a'), [{ start: 2, end: 13, kind: 'x' }])
})

t.test('a part of a path of the session is no secret at another place', async (t) => {
  const files = { readFiles: ['src/fixture7b/a.ts'], modifiedFiles: ['login9data.ts'] }
  const texts = ['DB_PASSWORD=fixture7b', 'SMTP_PASSWORD=login9data', 'See fixture7b and login9data.']
  const redaction = startRedaction(true, { texts, files })
  t.strictSame(texts.map(redaction.text), [
    'DB_PASSWORD=[redacted:password]',
    'SMTP_PASSWORD=[redacted:password]',
    'See fixture7b and login9data.',
  ])
})

t.test('a later stage replaces what an earlier one has found, and counts on', async (t) => {
  const first = startRedaction(true, { messages: [user('DB_PASSWORD=hunter2-Very-Secret')] })
  const copy = first.uncounted()
  t.equal(copy.text('hunter2-Very-Secret'), '[redacted:password]')
  t.equal(first.count(), 0)
  t.equal(first.text('It is hunter2-Very-Secret.'), 'It is [redacted:password].')
  const second = resumeRedaction(true, structuredClone(first.state()))
  t.equal(second.text('The answer says hunter2-Very-Secret.'), 'The answer says [redacted:password].')
  t.equal(second.count(), 2)
})

t.test('where the redaction is switched off, nothing is found', async (t) => {
  const off = startRedaction(false, { texts: ['DB_PASSWORD=hunter2-Very-Secret'] })
  t.equal(off.uncounted().text('DB_PASSWORD=hunter2-Very-Secret'), 'DB_PASSWORD=hunter2-Very-Secret')
  t.strictSame(off.state(), { count: 0, values: [] })
  t.equal(resumeRedaction(false, { count: 0, values: [['hunter2-Very-Secret', 'x']] }).isOn, false)
})

t.test('a value that is longer than what is compared is replaced to its end', async (t) => {
  const long = 'aB3dE5fG'.repeat(200)
  t.strictSame(redactTexts(`api_key: "${long}"`, `It is ${long}.`)[1], 'It is [redacted:secret].')
})

t.test('of two values that end alike, the longer one is replaced', async (t) => {
  const known = new KnownValues([
    ['Secret-77x', 'a'],
    ['Very-Secret-77x', 'b'],
  ])
  t.strictSame(known.find('the Very-Secret-77x, Secret-77x'), [
    { start: 4, end: 19, kind: 'b' },
    { start: 21, end: 31, kind: 'a' },
  ])
})

t.test('four times as many values and as much text take about four times as long', async (t) => {
  const find = (values: readonly string[]) =>
    new KnownValues(values.map((one) => [one, 'x'] as const)).find(values.join(' '))
  for (const value of [
    (index: number) => `value-${index}-1a`,
    (index: number) => `${index}x9-same-end-1a`,
    (index: number) => `${'a1'.repeat(index % 250)}-same-end-1a`,
  ]) {
    const long = Array.from({ length: 16_000 }, (_, index) => value(index))
    // A comparison with each value at each place would take more than 200 ms; the collector of garbage takes some 30.
    t.ok(growthOf({ work: find, short: long.slice(0, 4_000), long, measurableMs: 150 }) <= MAX_GROWTH)
  }
})
