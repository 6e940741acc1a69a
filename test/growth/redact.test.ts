import { readFileSync } from 'node:fs'
import t from 'tap'
import { redactMessages } from '../support/redact-messages.ts'
import { redactText, RULES } from '../../src/redact/redact-text.ts'
import { SERVICES } from '../../src/redact/tokens/services.ts'
import { createWordFinder } from '../../src/text/find-in-text.ts'
import { cpuMsOf, growthOf, MAX_GROWTH } from '../support/cpu-time.ts'

/** What follows a hint, again and again: values, near misses, and other places in which the same rules search. */
const AFTER = ['', 'aB3-', ': "', '=a1b2c3d4 ', '%3D', '://a:b', ' -u a:b']

/** What follows one hint, without an end. */
const ENDLESS = ['aB3', ' ', '\\', 'a=b;']

const services = new Set(Object.keys(SERVICES).flatMap((beginnings) => beginnings.split(' ')))

/** The hints of a rule lead to one function, and services have a table of forms: a part of them stands for all. */
const hints = [
  ...new Set(RULES.flatMap((rule) => rule.hints.filter((_, index) => index < 3 || index % 10 === 0))),
].filter((hint, index) => !services.has(hint) || index % 4 === 0)
const SIZE = 6_000

/** Statements without an end, whose parts could be read in many ways. */
const STATEMENTS = ['a', '1,', "'a',", "''", '(a)', "' "].map((part): [string, (size: number) => string] => [
  `a row of ${part}, repeated`,
  (size) => `insert into a (password) values (${part.repeat(size / part.length)}`,
])

const hostile: [name: string, text: (size: number) => string][] = hints.flatMap((hint) => [
  ...AFTER.map((after): [string, (size: number) => string] => [
    `${hint}${after}, repeated`,
    (size) => (hint + after).repeat(size / (hint + after).length),
  ]),
  ...ENDLESS.map((after): [string, (size: number) => string] => [
    `${hint}, then ${after} repeated`,
    (size) => hint + after.repeat(size / after.length),
  ]),
  [`blanks before ${hint}`, (size) => (' '.repeat(40) + hint).repeat(size / (40 + hint.length))],
])

const PROSE_CHARACTERS = 40 * SIZE
const PROSE = 'The parser reads a line, and then it writes the result. '.repeat(PROSE_CHARACTERS / 56)

/** It takes as long as the slowest texts: a busy machine slows both as much. */
const LONG_PROSE = PROSE.repeat(50)

/**
 * How many times as long as prose of the same length a text may take: the slowest take 540 times. A limit that is too high in a
 * pattern makes it thousands.
 */
const MAX_TIMES_PROSE = 600

/** A text that takes less is not slow, however fast prose is. */
const MEASURABLE_MS = 3

/**
 * Returns whether four times the text takes about four times as long (it would take 16 times as long if the search were
 * quadratic), and not much longer than prose: a high limit in a pattern would make it linear, but slow. A text and what it
 * is compared with are measured in turn, so that a busy machine slows both.
 */
function isLinear(make: (size: number) => string): boolean {
  const measured = { work: (text: string) => redactText(text), long: make(4 * SIZE), measurableMs: MEASURABLE_MS }
  const isAsFastAs = (prose: string): boolean => {
    const limit = (MAX_TIMES_PROSE * measured.long.length) / prose.length
    return growthOf({ ...measured, short: prose, limit }) <= limit
  }
  const growth = growthOf({ ...measured, short: make(SIZE) })
  // Nothing was measurable: such a text is not slow, and is not compared.
  return growth === 0 || (growth <= MAX_GROWTH && (isAsFastAs(PROSE) || isAsFastAs(LONG_PROSE)))
}

t.test('four times as much of any hint takes about four times as long, and not much longer than prose', async (t) => {
  t.ok(hints.length > 150)
  for (const [name, make] of [...STATEMENTS, ...hostile]) if (!isLinear(make)) t.fail(`slow: ${JSON.stringify(name)}`)
})

t.test('arguments take linear time, however many of their keys are secrets', async (t) => {
  const callWith = (count: number) => {
    const keys = Array.from({ length: count }, (_, index) => [`ghp_${String(index).padStart(36, '0')}`, 1])
    const call = { type: 'toolCall' as const, id: 'c', name: 'x', arguments: Object.fromEntries(keys) as unknown }
    return [{ role: 'assistant' as const, content: [call] }]
  }
  const [short, long] = [callWith(500), callWith(2000)]
  t.ok(growthOf({ work: redactMessages, short, long }) <= MAX_GROWTH)
})

t.test('a secret of 8 MB on one line is replaced whole', async (t) => {
  const run = 'aB3dE5fG'.repeat(1_000_000)
  for (const [before, kind] of [
    ['sk-ant-', 'anthropic-key'],
    ['sk-', 'openai-key'],
    ['xoxb-', 'slack-token'],
    ['ya29.', 'google-key'],
    ['ghp_', 'github-token'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJ', 'jwt'],
    ['glc_', 'service-token'],
    ['Authorization: Bearer ', 'authorization', 'Authorization: Bearer '],
    ['DB_PASSWORD=', 'password', 'DB_PASSWORD='],
    ['api_key: ', 'secret', 'api_key: '],
    ['-----BEGIN PRIVATE KEY-----\n', 'private-key'],
  ].map(([prefix = '', kind = '', left = '']) => [prefix, `${left}[redacted:${kind}]`] as const))
    t.equal(redactText(`${before}${run} end`).text, `${kind} end`, before)
})

t.test('8 MB that only begin like a secret are left as they are', async (t) => {
  for (const part of ['eyJ', 'eyJaaaaaaaa', '-----BEGIN ', 'A'.repeat(64)]) {
    const text = part.repeat(8_000_000 / part.length)
    t.ok(redactText(text).text === text, part)
  }
})

t.test('a key without an end is no deeper than the stack', async (t) => {
  const { text, redactions } = redactText(`-----BEGIN PRIVATE KEY-----\n${'A'.repeat(11_000_000)}`)
  t.same([redactions, text.length < 11_000_000], [1, true])
})

t.test(
  'the search of JSON, as it is and decoded, takes at most 16 times as long as one pass for its hints',
  async (t) => {
    const session = readFileSync(new URL('../../examples/session.jsonl', import.meta.url), 'utf8')
    const text = session.repeat(4_000_000 / session.length)
    const findHints = createWordFinder([
      ...new Set(RULES.flatMap(({ hints }) => hints.map((hint) => hint.toLowerCase()))),
    ])
    // Other processes make a single run longer.
    const leastMsOf = (run: () => unknown): number => Math.min(...Array.from({ length: 3 }, () => cpuMsOf(run)))
    const passMs = leastMsOf(() => {
      findHints(text, () => undefined)
    })
    const searchMs = leastMsOf(() => redactText(text))
    t.ok(searchMs < 16 * passMs, `${searchMs} ms, ${passMs} ms`)
  },
)
