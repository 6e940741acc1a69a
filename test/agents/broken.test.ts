import { readFileSync, readdirSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { Problem } from '../../src/errors.ts'
import { isObject } from '../../src/session/entry.ts'
import { openDocument } from '../../src/agents/detect-format.ts'
import { textsOf } from '../../src/session/message.ts'
import { asLines, readDocument } from '../support/read-document.ts'
import { casesOf } from '../support/random-cases.ts'

const FOLDER = new URL('../fixtures/formats/', import.meta.url)
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

for (const fixture of FIXTURES) {
  const { values, write } = documentOf(fixture)
  const query = { format: formatOf(fixture.text) }

  t.test(`${fixture.name}: broken values are never a fault of the service`, async () => {
    fc.assert(
      fc.property(fc.gen(), fc.constantFrom(0.01, 0.05, 0.3), (gen, share) => {
        const broken = values.map((value) => breakValue(value, gen, share))
        const text = write(broken.filter((value) => value !== undefined))
        try {
          readDocument(text, { query })
        } catch (error) {
          // A tree with a cycle, or a body without any JSON; or any broken value of our own formats.
          if (!(error instanceof Problem) || error.status >= 500) throw error
        }
      }),
      { numRuns: casesOf(150), seed: 7 },
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

/** Returns a value without one of its fields, for each field at any depth. */
function* withoutEach(value: unknown): Generator<[string, unknown]> {
  if (!isObject(value)) return
  for (const [key, field] of Object.entries(value)) {
    const others = Object.entries(value).filter(([name]) => name !== key)
    yield [key, Array.isArray(value) ? others.map(([, one]) => one) : Object.fromEntries(others)]
    for (const [path, inner] of withoutEach(field)) {
      const changed = Object.entries(value).map(([name, one]): [string, unknown] => [name, name === key ? inner : one])
      yield [`${key}.${path}`, Array.isArray(value) ? changed.map(([, one]) => one) : Object.fromEntries(changed)]
    }
  }
}

/** Fields that say what a value is, and the places of trees and of opencode's messages: without them, a text is nobody's. */
const NEEDED = new Set(['type', 'role', 'source', 'action', 'kind', 'uuid', 'info'])
const isNeeded = (name: string, path: string): boolean =>
  NEEDED.has(path.slice(path.lastIndexOf('.') + 1)) || (name === 'opencode-v2.json' && path === 'id')

for (const fixture of FIXTURES.filter(({ name }) => !OWN.has(name) && !name.endsWith('.md'))) {
  const { values, write } = documentOf(fixture)
  const query = { format: formatOf(fixture.text) }

  t.test(`${fixture.name}: without any one field, what the user wrote is read`, async (t) => {
    const lost: string[] = []
    const expected = requestsOf(write(values), query).map(
      ([place, text]) => [place, text.split('\n')[0] ?? ''] as const,
    )
    for (const [index, value] of values.entries())
      for (const [path, broken] of withoutEach(value)) {
        // A list of Gemini CLI without its summary replaces all records before it.
        if (path.startsWith('$set')) continue
        const written = values.map((one, position) => (position === index ? broken : one))
        const found = requestsOf(write(written), query).map(([, text]) => text)
        for (const [place, text] of expected) {
          const isGone = place === index && (isNeeded(fixture.name, path) || !JSON.stringify(broken).includes(text))
          if (!isGone && !found.some((one) => one.includes(text))) lost.push(`${index} ${path}: ${text}`)
        }
      }
    t.strictSame(lost, [])
  })
}

t.test('broken lines of Aider take nothing from other lines', async (t) => {
  const { text } = FIXTURES.find(({ name }) => name.endsWith('.md')) ?? { text: '' }
  const lines = text.split('\n')
  const lost: string[] = []
  for (const index of lines.keys())
    for (const garbage of ['', '####', '> ', '\uD800', '# aider']) {
      const written = lines.map((line, position) => (position === index ? garbage : line)).join('\n')
      const found = requestsOf(written, { format: 'aider' }).map(([, one]) => one)
      for (const part of ['Fix add in calc.py', 'and keep it short', 'Now test it'])
        if (!found.some((one) => one.includes(part)) && !lines[index]?.includes(part)) lost.push(`${index}: ${part}`)
    }
  t.strictSame(lost, [])
})
