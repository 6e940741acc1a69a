import fc from 'fast-check'
import t from 'tap'
import { createRandom } from '../../bench/support/create-random.ts'
import { ElementSplitter } from '../../src/ingest/split-elements.ts'
import { mutateBytes } from '../fuzz/mutate-bytes.ts'

const PLACEHOLDER = 'the list that was here'

/** Reads a body that comes in chunks of so many bytes, and puts the elements back where they were. */
function readInChunks(bytes: Buffer, chunkBytes: number): unknown {
  let lists: Record<string, unknown[]> = {}
  const splitter = new ElementSplitter({
    names: ['entries', 'messages'],
    placeholder: JSON.stringify(PLACEHOLDER),
    onList: (name) => {
      lists = { ...lists, [name]: [] }
    },
    onElement: (name, element) => lists[name]?.push(JSON.parse(element.toString())),
  })
  for (let at = 0; at < bytes.length; at += chunkBytes) splitter.push(bytes.subarray(at, at + chunkBytes))
  const body = JSON.parse(splitter.rest()) as unknown
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

t.test('what was split is what JSON.parse reads, in chunks of any size', async () => {
  fc.assert(
    fc.property(written, fc.integer({ min: 1, max: 40 }), (bytes, chunkBytes) => {
      const whole = outcome(() => JSON.parse(bytes.toString()))
      return outcome(() => readInChunks(bytes, chunkBytes)) === whole
    }),
    { numRuns: 900 },
  )
})

t.test('what JSON.parse refuses is refused, and what it takes is taken, whatever happened to the bytes', async () => {
  fc.assert(
    fc.property(
      written,
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 2 ** 31 - 2 }),
      (bytes, size, seed) => {
        const mutated = mutateBytes(bytes, createRandom(seed))
        const whole = outcome(() => JSON.parse(mutated.toString()))
        return outcome(() => readInChunks(mutated, size)) === whole
      },
    ),
    { numRuns: 900 },
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
  ['a brace for a bracket', '{"entries":[1}}'],
  ['no end', '{"entries":[{"a":"b'],
  ['an escape at the end', '{"entries":["\\'],
]
for (const [what, text] of bodies)
  t.test(`like JSON.parse: ${what}`, async (t) => {
    for (let chunkBytes = 1; chunkBytes <= text.length; chunkBytes++)
      t.equal(
        outcome(() => readInChunks(Buffer.from(text), chunkBytes)),
        outcome(() => JSON.parse(text)),
        `in chunks of ${chunkBytes}`,
      )
  })
