import { readFileSync, readdirSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { Problem } from '../../../src/errors.ts'
import { isObject } from '../../../src/session/entry.ts'
import { openDocument } from '../../../src/session/formats/formats.ts'
import { textsOf } from '../../../src/session/message.ts'
import { asLines, readDocument } from '../../support/read-document.ts'

const FOLDER = new URL('../../fixtures/formats/', import.meta.url)
const FIXTURES = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(new URL(name, FOLDER), 'utf8') }))

/** What stands in the place of a value: nothing, or a value of another type. */
const GARBAGE = [undefined, null, 0, -1, 1e300, '', 'x', true, [], {}, [null], [[]], [{}], { type: 'text' }, '\uD800']

/** Returns a value in which some of the fields and elements are garbage. */
function breakValue(value: unknown, gen: fc.GeneratorValue, share: number): unknown {
  if (gen(fc.nat, { max: 999 }) < share * 1000) return gen(fc.constantFrom, ...GARBAGE)
  if (Array.isArray(value)) return value.map((one) => breakValue(one, gen, share))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, breakValue(one, gen, share)]))
}

/** The values of a document, and the document with other values. */
function documentOf({ name, text }: { name: string; text: string }) {
  if (name.endsWith('.md')) return { values: text.split('\n'), write: (lines: unknown[]) => lines.join('\n') }
  if (name.endsWith('.jsonl')) {
    const values = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    return { values, write: (lines: unknown[]) => asLines(lines as object[]) }
  }
  const document = JSON.parse(text) as Record<string, unknown>
  const { values } = openDocument(document)
  const list = Object.keys(document).find((key) => document[key] === values)
  const write = (others: unknown[]): string =>
    JSON.stringify(list === undefined ? others : { ...document, [list]: others })
  return { values: [...values], write }
}

/** Formats that are our own: their elements are checked, and a fault is 400. */
const OWN = new Set(['pi.jsonl', 'chat.json'])

const formatOf = (text: string): string => readDocument(text).format ?? 'chat'

for (const fixture of FIXTURES.filter(({ name }) => !OWN.has(name))) {
  const { values, write } = documentOf(fixture)
  const query = { format: formatOf(fixture.text) }

  t.test(`${fixture.name}: broken values are never an error`, async () => {
    fc.assert(
      fc.property(fc.gen(), fc.constantFrom(0.01, 0.05, 0.3), (gen, share) => {
        const broken = values.map((value) => breakValue(value, gen, share))
        const text = write(broken.filter((value) => value !== undefined))
        try {
          readDocument(text, { query })
        } catch (error) {
          // A tree with a cycle, or a body without any JSON.
          if (!(error instanceof Problem)) throw error
        }
      }),
      { numRuns: 150, seed: 7 },
    )
  })
}

/** Returns the texts of the user, each with the place where it stands. */
const requestsOf = (text: string, query: object): [number, string][] =>
  readDocument(text, { query: { ...query } }).session.entries.flatMap(({ index, message }) =>
    message?.role === 'user' ? [[index, textsOf(message).join('\n')] as [number, string]] : [],
  )

for (const fixture of FIXTURES.filter(({ name }) => !OWN.has(name) && !name.endsWith('.md'))) {
  const { values, write } = documentOf(fixture)
  const query = { format: formatOf(fixture.text) }

  t.test(`${fixture.name}: what the user wrote is read, whatever stands on another line`, async (t) => {
    for (const index of values.keys())
      for (const garbage of [null, 5, {}, { type: 'unknown' }]) {
        const broken = values.map((value, position) => (position === index ? garbage : value))
        const found = new Set(requestsOf(write(broken), query).map(([, text]) => text))
        const lost = requestsOf(write(values), query).filter(([place, text]) => place !== index && !found.has(text))
        t.strictSame(lost, [], `value ${index}`)
      }
  })
}
