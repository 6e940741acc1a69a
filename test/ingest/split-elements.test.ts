import fc from 'fast-check'
import t from 'tap'
import { createRandom } from '../../bench/support/create-random.ts'
import { splitElements } from '../../src/ingest/split-elements.ts'
import type { ByteRange } from '../../src/session/entry.ts'
import { mutateBytes } from '../fuzz/mutate-bytes.ts'
import { growthOf, MAX_GROWTH } from '../support/cpu-time.ts'

const PLACEHOLDER = 'the list that was here'

/** Splits a body, and puts the elements back where they were. */
function splitAndJoin(bytes: Buffer): unknown {
  let lists: Record<string, unknown[]> = {}
  const rest = splitElements(bytes, {
    names: ['entries', 'messages'],
    placeholder: JSON.stringify(PLACEHOLDER),
    onList: (name) => {
      const list: unknown[] = []
      lists = { ...lists, [name]: list }
      return ({ start, end }) => list.push(JSON.parse(bytes.toString('utf8', start, end)))
    },
  })
  const body = JSON.parse(rest) as unknown
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, value === PLACEHOLDER ? lists[name] : value]),
  )
}

/** What a parser makes of it, or that it is none. */
function outcome(parse: () => unknown): string {
  try {
    return JSON.stringify(parse())
  } catch (error) {
    return (error as Error).name
  }
}

const nasty = fc.constantFrom('"', '\\', '\\"', '[', ']', '{}', ',', ':', '"entries":[', 'ä', '漢字', '😀', '\u2028')
const text = fc.array(fc.oneof(nasty, fc.string()), { maxLength: 6 }).map((parts) => parts.join(''))
const value = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, text, fc.integer(), fc.constant(null), tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(fc.oneof(text, fc.constantFrom('entries', 'messages')), tie('value'), { maxKeys: 4 }),
})).value
const name = fc.oneof(fc.constantFrom('entries', 'messages', 'settings', 'entries '), text)
const body = fc.oneof(
  { weight: 9, arbitrary: fc.dictionary(name, fc.oneof(value, fc.array(value, { maxLength: 8 })), { maxKeys: 5 }) },
  { weight: 1, arbitrary: value },
)
const written = fc
  .tuple(body, fc.constantFrom(undefined, 1, '\t'))
  .map(([one, indent]) => Buffer.from(JSON.stringify(one, undefined, indent)))

t.test('what was split is what JSON.parse reads', async () => {
  fc.assert(
    fc.property(written, (bytes) => {
      const whole = outcome(() => JSON.parse(bytes.toString()))
      return outcome(() => splitAndJoin(bytes)) === whole
    }),
    { numRuns: 900 },
  )
})

t.test('what JSON.parse refuses is refused, and what it takes is taken, whatever happened to the bytes', async () => {
  // JSON.parse refuses a byte order mark; a parser may skip it (RFC 8259, section 8.1), and this one does.
  const withoutMark = (bytes: Buffer): string => bytes.toString().replace(/^\uFEFF/, '')
  fc.assert(
    fc.property(written, fc.integer({ min: 1, max: 2 ** 31 - 2 }), (bytes, seed) => {
      const mutated = mutateBytes(bytes, createRandom(seed))
      const whole = outcome(() => JSON.parse(withoutMark(mutated)))
      return outcome(() => splitAndJoin(mutated)) === whole
    }),
    { numRuns: 2000 },
  )
})

const bodies: [name: string, body: string][] = [
  ['a list that comes twice: the last one counts', '{"entries":[1,2],"a":1,"entries":[3]}'],
  ['a list that another value overwrites', '{"entries":[1,2],"entries":5}'],
  ['a value that a list overwrites', '{"entries":{"entries":[1]},"entries":[2]}'],
  ['a name that is written with escapes is the same name', '{"entri\\u0065s":[1,2]}'],
  ['a name that a longer one begins with', `{"entries":1,"entries${' '.repeat(60)}":[1]}`],
  ['an empty list, and one of blanks', '{"entries":[],"messages":[ \n ]}'],
  ['a list of what is no white space of JSON', '{"entries":[\f]}'],
  ['another one', '{"entries":[\v\u00a0]}'],
  ['a list in a list of the same name', '{"entries":[{"entries":[1,[2]]}]}'],
  ['no object', '[{"entries":[1]}]'],
  ['two bodies', '{"entries":[1]}{"entries":[1]}'],
  ['two lists for one name', '{"entries":[1][2]}'],
  ['a comma too many', '{"entries":[1,]}'],
  ['only a comma', '{"entries":[,]}'],
  ['a colon in a list', '{"entries":[1:[2]]}'],
  ['a brace for a bracket', '{"entries":[1}}'],
  ['no end', '{"entries":[{"a":"b'],
  ['an escape at the end', '{"entries":["\\'],
]
for (const [what, text] of bodies)
  t.test(`like JSON.parse: ${what}`, async (t) => {
    t.equal(
      outcome(() => splitAndJoin(Buffer.from(text))),
      outcome(() => JSON.parse(text)),
    )
  })

/** The elements of the list `entries`, as text. */
function elementsOf(text: string): string[] {
  const bytes = Buffer.from(text)
  const elements: string[] = []
  const onList = () => (range: ByteRange) => elements.push(bytes.toString('utf8', range.start, range.end))
  splitElements(bytes, { names: ['entries'], placeholder: '0', onList })
  return elements
}

t.test('an element is reported without the white space around it', async (t) => {
  t.same(elementsOf('\uFEFF { "a": "\u00e4", "entries" : [ {"b": 1} ,\n\t"\u00e4\\"" , [ ]\r\n] }'), [
    '{"b": 1}',
    '"\u00e4\\""',
    '[ ]',
  ])
})

t.test('a name that is written with escapes is found, so that its list is checked like any other', async (t) => {
  t.same(elementsOf('{"entri\\u0065s":[1,2]}'), ['1', '2'])
  const escaped = Array.from('entries', (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join('')
  t.same(elementsOf(`{"${escaped}":[1]}`), ['1'])
})

for (const piece of ['\\\\', '\\"', '" ', '[', ' ,', '"a":'])
  t.test(`the time is linear in the size of the body: ${JSON.stringify(piece)}`, async (t) => {
    for (const start of ['{"entries":["', '{"entries":[', '{"']) {
      const bodyOf = (count: number): Buffer => Buffer.from(start + piece.repeat(count))
      const work = (bytes: Buffer) =>
        splitElements(bytes, { names: ['entries'], placeholder: '0', onList: () => () => undefined })
      const growth = growthOf({ work, short: bodyOf(50_000), long: bodyOf(200_000), measurableMs: 50 })
      t.ok(growth <= MAX_GROWTH, `${start}: four times the length takes ${growth.toFixed(1)} times as long`)
    }
  })
