import fc from 'fast-check'
import t from 'tap'
import type { Problem } from '../../src/errors.ts'
import { brokenJson, brokenLines } from '../../src/ingest/explain-broken-body.ts'
import { findJsonFault } from '../../src/ingest/find-json-fault.ts'

const read = ({ message, faults }: Problem) => [
  message,
  ...faults.map(({ pointer, detail }) => `${pointer}: ${detail}`),
]

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

t.test('a text has a fault exactly if JSON.parse refuses it', async (t) => {
  const damaged = fc
    .tuple(
      fc.json({ maxDepth: 3 }),
      fc.nat(),
      fc.constantFrom('', '"', '\\', '{', '}', ']', ',', ':', '0', '-', 'e', '\n', 'é', '\u0001'),
    )
    .map(([json, place, text]) => {
      const at = place % (json.length + 1)
      return json.slice(0, at) + text + json.slice(at + (place % 2))
    })
  fc.assert(
    fc.property(damaged, (text) => (findJsonFault(Buffer.from(text)) === undefined) === isJson(text)),
    { numRuns: 3000, seed: 19 },
  )
  t.equal(findJsonFault(Buffer.from(`[${'1'.repeat(5000)}]`)), undefined, 'a long number')
})

const AT = 'The request body is not valid JSON: the fault is at line'

const bodies: [name: string, body: string | Buffer, detail: string, fault: string][] = [
  ['a comma before the end', '{"a": "é",}', `${AT} 1, column 11.`, 'line 1, column 11'],
  ['a fault on a later line', '\uFEFF{\r\n  "a": 1\r\n  "b": 2\r\n}', `${AT} 3, column 3.`, 'line 3, column 3'],
  ['a line end in a string', '{"a": "x\n"}', `${AT} 1, column 9.`, 'line 1, column 9'],
  ['an unknown escape', '{"a": "\\x"}', `${AT} 1, column 8.`, 'line 1, column 8'],
  ['a number with a zero', '[01]', `${AT} 1, column 2.`, 'line 1, column 2'],
  [
    'a body that ends too early',
    '{\n"a": [1',
    'The request body is not valid JSON: it ends at line 2, column 8, before its value is complete.',
    'line 2, column 8',
  ],
  [
    'a session file without its line ends',
    '{"a":1}{"b":2}',
    `${AT} 1, column 8. It has several JSON values on one line. If it is a session file, send it with its line ends: with curl, use \`--data-binary @file\` instead of \`-d @file\`.`,
    'line 1, column 8',
  ],
  [
    'two values on two lines',
    '[1]\n[2]',
    `${AT} 2, column 1. It has more than one JSON value. Send one value, or a session file as application/x-ndjson.`,
    'line 2, column 1',
  ],
  [
    'UTF-16 with a byte order mark',
    Buffer.from('\uFEFF{"a":1}', 'utf16le'),
    `${AT} 1, column 1. It is UTF-16. Send it as UTF-8.`,
    'line 1, column 1',
  ],
  [
    'UTF-16 without one',
    Buffer.from('{"a":1}', 'utf16le').swap16(),
    `${AT} 1, column 1. It is UTF-16. Send it as UTF-8.`,
    'line 1, column 1',
  ],
  [
    'compressed bytes without a header',
    Buffer.from([0x1f, 0x8b, 8, 0]),
    `${AT} 1, column 1. It is compressed (gzip). Send it with \`Content-Encoding: gzip\`.`,
    'line 1, column 1',
  ],
]

for (const [name, body, detail, place] of bodies)
  t.test(`${name}: the problem names the place and the remedy`, async (t) => {
    t.same(read(brokenJson(Buffer.from(body))), [detail, `: must be valid JSON (${place})`])
  })

const LINES = 'No line of the NDJSON body is valid JSON.'

const lines: [name: string, body: string | Buffer, detail: string][] = [
  [
    'broken lines',
    '{\n{"type":',
    `${LINES} If it is one JSON value on several lines, its fault is at line 2, column 1: correct it, and send it as application/json.`,
  ],
  ['a broken line', '{"type":', `${LINES} Send one JSON value on each line.`],
  [
    'lines without line ends',
    '{"a":1} {"b":2}',
    `${LINES} It has several JSON values on one line. If it is a session file, send it with its line ends: with curl, use \`--data-binary @file\` instead of \`-d @file\`.`,
  ],
  ['UTF-16', Buffer.from('{"a":1}', 'utf16le'), `${LINES} It is UTF-16. Send it as UTF-8.`],
]

for (const [name, body, detail] of lines)
  t.test(`${name}: the problem of NDJSON names the lines as editors count them`, async (t) => {
    t.same(read(brokenLines(Buffer.from(body), [0, 4], 'none is valid')), [
      detail,
      '/entries/0: must be valid JSON (line 1)',
      '/entries/4: must be valid JSON (line 5)',
    ])
  })

t.test('a body with too many broken lines is not said to have no valid one', async (t) => {
  t.equal(
    brokenLines(Buffer.from('{"type":'), [0], 'too many').message,
    'More than 10,000 lines of the NDJSON body are not valid JSON. Send one JSON value on each line.',
  )
})
