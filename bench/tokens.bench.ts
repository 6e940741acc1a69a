import { readdirSync, readFileSync } from 'node:fs'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { findBoundaries } from '../scripts/token-table/find-boundaries.ts'
import { estimateTextTokens } from '../src/tokens/estimate-tokens.ts'
import { textOf, toolCallsOf, type Message } from '../src/session/message.ts'
import { chinese } from './support/chinese.ts'
import { describeMachine } from './support/describe-machine.ts'
import { interleave, ratio } from './support/interleave.ts'
import { printTable } from './support/print-table.ts'
import { readRealSession } from './support/read-real-session.ts'
import { readSession } from './support/read-session.ts'

/**
 * Measures the token estimate compared with o200k: its error by kind of text, and its speed. Of these texts, the table
 * was counted over the compiler's messages only.
 */
const ROUNDS = 15

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const example = read('examples/session.jsonl').trim().split('\n')
const real = readRealSession()
const messages = [example.map((line) => JSON.parse(line) as unknown), ...(real === undefined ? [] : [real])].flatMap(
  (entries) => readSession({ entries }).entries.flatMap(({ message }) => message ?? []),
)
const textsOf = (role: Message['role']): string =>
  messages.map((message) => (message.role === role && 'content' in message ? textOf(message.content) : '')).join('\n')
const sources = readdirSync(new URL('../src', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.includes('token-table'))
  .map((file) => read(`src/${file}`))
const compiler = (language: string): string =>
  Object.values(
    JSON.parse(read(`node_modules/typescript/lib/${language}/diagnosticMessages.generated.json`)) as Record<
      string,
      string
    >,
  ).join('\n')

const KINDS: [kind: string, text: string][] = [
  ['English: users and assistants', `${textsOf('user')}\n${textsOf('assistant')}`],
  ['code', sources.join('\n')],
  ['tool output', textsOf('toolResult')],
  [
    'JSON: arguments of calls',
    messages
      .flatMap(toolCallsOf)
      .map((call) => JSON.stringify(call.arguments))
      .join('\n'),
  ],
  ['JSON: a session file', example.join('\n')],
  ['YAML', read('openapi.yaml')],
  ['Markdown', ['README.md', 'docs/contract.md', 'docs/operations.md'].map(read).join('\n')],
  ['Chinese: requests and remarks', [...chinese.requests, ...chinese.remarks, ...chinese.results].join('\n')],
  ['Chinese: compiler', compiler('zh-cn')],
  ['Japanese: compiler', compiler('ja')],
  ['Russian: compiler', compiler('ru')],
  ['Korean: compiler', compiler('ko')],
  ['German: compiler', compiler('de')],
]

console.log(
  `${describeMachine()}; ${real === undefined ? 'the example session' : 'the example and the real session'}\n`,
)
const percent = (estimate: number, count: number): string => `${(100 * (estimate / count - 1)).toFixed(1)} %`
printTable(
  ['text', 'characters', 'o200k', 'estimate', 'error', 'characters / 4'],
  KINDS.map(([kind, text]) => {
    const count = findBoundaries(text).reduce((sum, ends) => sum + ends, 0)
    const estimate = estimateTextTokens(text)
    return [
      kind,
      String(text.length),
      String(count),
      String(estimate),
      percent(estimate, count),
      percent(text.length / 4, count),
    ]
  }),
)
console.log()
const rows: string[][] = []
for (const [kind, text] of KINDS.filter(([kind]) => /users|^code|Chinese: compiler/.test(kind))) {
  const sample = text.slice(0, 60_000)
  const slices = Array.from({ length: Math.ceil(sample.length / 1024) }, (_, index) =>
    sample.slice(index * 1024, (index + 1) * 1024),
  )
  const { ours, theirs } = await interleave(
    {
      ours: () => {
        for (let count = 0; count < 50; count++) estimateTextTokens(sample)
      },
      theirs: () => {
        for (const slice of slices) encode(slice)
      },
    },
    ROUNDS,
  )
  const perSecond = (ms: number, times: number): string => `${((sample.length * times) / ms / 1000).toFixed(0)} MB/s`
  rows.push([
    kind,
    ratio(theirs, { ...ours, medianMs: ours.medianMs / 50 }),
    perSecond(ours.medianMs, 50),
    perSecond(theirs.medianMs, 1),
  ])
}
printTable(['speed', 'gpt-tokenizer / estimate, in time', 'estimate', 'gpt-tokenizer'], rows)
