import { redactMessages } from '../test/support/redact-messages.ts'
import { redactText } from '../src/redact/redact-text.ts'
import { textOf, type Message } from '../src/session/message.ts'
import { chinese } from './support/chinese.ts'
import { describeMachine } from './support/describe-machine.ts'
import { english } from './support/english.ts'
import { generateSession } from './support/generate-session.ts'
import { measureMedianMs } from './support/measure-median-ms.ts'
import { printTable } from './support/print-table.ts'
import { readRealSession } from './support/read-real-session.ts'
import { readSession } from './support/read-session.ts'

/**
 * Measures the search for secrets: in agent text, in milliseconds per MiB, and in hostile text, where the time for four
 * times the text shows whether the search is linear.
 */
const SEED = 4242
const MIB = 2 ** 20
const CHARACTERS = 4_000_000

const messagesOf = (entries: readonly unknown[]): Message[] =>
  readSession({ entries }).entries.flatMap(({ message }) => message ?? [])
const textsOf = (messages: readonly Message[]): string[] =>
  messages.map((message) => ('content' in message ? textOf(message.content) : ''))

const real = readRealSession()
const SESSIONS: [name: string, entries: readonly unknown[]][] = [
  ...(real === undefined ? [] : [['real, 1 MB', real] as [string, readonly unknown[]]]),
  ['generated, English', generateSession(english, { characters: CHARACTERS, seed: SEED }).entries],
  ['generated, Chinese', generateSession(chinese, { characters: CHARACTERS, seed: SEED }).entries],
]

/** Texts that begin like a secret but never become one. */
const HOSTILE = [
  '-----BEGIN PRIVATE KEY-----\n',
  'https://a:',
  'password=',
  'eyJ.',
  'A'.repeat(64),
  'sk-',
  '"token": "',
  '=',
]

console.log(`${describeMachine()}; seed ${SEED}\n`)
printTable(
  [
    'text',
    'MiB',
    'as one text, ms/MiB',
    'as one JSON string',
    'with line numbers',
    'message by message, ms/MiB',
    'findings',
  ],
  SESSIONS.map(([name, entries]) => measureSession(name, messagesOf(entries))),
)
console.log()
printTable(['hostile, repeated', '256 KiB, ms', '1 MiB, ms', 'ratio'], HOSTILE.map(measureHostile))

function measureSession(name: string, messages: readonly Message[]): string[] {
  const text = textsOf(messages).join('\n')
  const mib = Buffer.byteLength(text) / MIB
  const whole = measureMedianMs(() => redactText(text))
  const [json, numbered] = [
    JSON.stringify(text),
    text
      .split('\n')
      .map((line, at) => `${at + 1}→${line}`)
      .join('\n'),
  ]
  const [jsonMs, numberedMs] = [json, numbered].map((one) => measureMedianMs(() => redactText(one)))
  const times = (ms = 0): string => `${(ms / whole).toFixed(2)} ×`
  const pieces = measureMedianMs(() => redactMessages(messages))
  const piecesMib = Buffer.byteLength(JSON.stringify(messages)) / MIB
  const perMib = (ms: number, size: number): string => (ms / size).toFixed(1)
  const findings = String(redactText(text).redactions)
  return [
    name,
    mib.toFixed(2),
    perMib(whole, mib),
    times(jsonMs),
    times(numberedMs),
    perMib(pieces, piecesMib),
    findings,
  ]
}

function measureHostile(piece: string): string[] {
  const [small = 0, large = 0] = [MIB / 4, MIB].map((size) => {
    const text = piece.repeat(size / piece.length)
    return measureMedianMs(() => redactText(text))
  })
  return [JSON.stringify(piece.slice(0, 30)), small.toFixed(1), large.toFixed(1), (large / small).toFixed(1)]
}
