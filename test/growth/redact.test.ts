import t from 'tap'
import { redactMessages } from '../support/redact-messages.ts'
import { redactText, RULES } from '../../src/redact/redact-text.ts'
import { SERVICES } from '../../src/redact/tokens/services.ts'
import { cpuMsOf, growthOf, MAX_GROWTH } from '../support/cpu-time.ts'

/** What follows a hint, again and again: values, near misses, and other places in which the same rules search. */
const AFTER = ['', 'aB3-', ': "', '=a1b2c3d4 ', '%3D', '://a:b', ' -u a:b']

/** What follows one hint, without an end. */
const ENDLESS = ['aB3', ' ', '\\', 'a=b;']

/** Rules with many hints are names of commands, and services have a table of forms: a part of them stands for all. */
const hints = [
  ...new Set(RULES.flatMap((rule) => rule.hints.filter((_, index) => index < 6 || index % 10 === 0))),
].filter((hint, index) => !SERVICES.has(hint) || index % 4 === 0)
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

const PROSE = 'The parser reads a line, and then it writes the result. '.repeat((40 * SIZE) / 56)
/** The time of prose as long as the larger text; it is measured in a longer one, since it is short. */
const proseMs = (cpuMsOf(() => redactText(PROSE), 5) / 40) * 4

/**
 * Four times the text takes about four times as long; it would take 16 times as long if the search were quadratic. It
 * takes at most 300 times as long as prose: a high limit in a pattern would make it linear, but slow. (Names with `%3D` behind each
 * take 200 times as long on a busy machine: they are searched as they stand, and decoded.)
 */
function isLinear(make: (size: number) => string, runs: number): boolean {
  const [small, large] = [make(SIZE), make(4 * SIZE)]
  const [smallMs, largeMs] = [cpuMsOf(() => redactText(small), runs), cpuMsOf(() => redactText(large), runs)]
  return largeMs < 9 * smallMs + 3 && largeMs < 300 * proseMs + 20
}

t.test('four times as much of any hint takes about four times as long, and not much longer than prose', async (t) => {
  t.ok(hints.length > 150)
  for (const [name, make] of [...STATEMENTS, ...hostile])
    if (!isLinear(make, 1) && !isLinear(make, 9)) t.fail(`slow: ${JSON.stringify(name)}`)
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
