import { appendFileSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Where every test process leaves what it has seen, for the one check after all of them (check-written.ts). */
export const LEDGER = fileURLToPath(new URL('../../.tap/ledger/', import.meta.url))

/** Shorter lines are words that may stand anywhere. */
export const SECRET_CHARACTERS = 24
const MAX_LINE_CHARACTERS = 400

export interface Ledger {
  /** What nobody may be told: lines of bodies, prompts and summaries. */
  content: string[]
  /** Tokens and keys, however short. */
  keys: string[]
  /** All that the service wrote where no content belongs: log lines, problems, metrics. */
  written: string[]
}

const seen = { content: new Set<string>(), keys: new Set<string>(), written: new Set<string>() }

/** Notes that the strings of a value are content, at any depth. */
export function noteContent(value: unknown, depth = 0): void {
  if (typeof value === 'string') noteLines(value)
  else if (typeof value === 'object' && value !== null && depth < 30)
    for (const inner of Object.values(value)) noteContent(inner, depth + 1)
}

function noteLines(text: string): void {
  for (const line of text.slice(0, 100_000).split('\n')) {
    const trimmed = line.trim().slice(0, MAX_LINE_CHARACTERS)
    if (trimmed.length >= SECRET_CHARACTERS) seen.content.add(trimmed)
  }
}

/** Notes the token or key of an authorization header. */
export function noteAuthorization(authorization: string | undefined): void {
  const [scheme = '', value = ''] = (authorization ?? '').split(' ')
  if (value === '') return
  seen.keys.add(value)
  if (/basic/i.test(scheme)) seen.keys.add(Buffer.from(value, 'base64').toString().split(':').at(-1) ?? '')
}

export function noteWritten(text: string): void {
  // Times, ids and counts alone make no two lines different.
  for (const line of text.split('\n')) seen.written.add(line.replace(/"(?:time|ms|pid)":\d+/g, ''))
}

process.on('exit', () => {
  if (seen.written.size === 0) return
  mkdirSync(LEDGER, { recursive: true })
  const ledger: Ledger = { content: [...seen.content], keys: [...seen.keys], written: [...seen.written] }
  appendFileSync(`${LEDGER}${process.pid}.json`, `${JSON.stringify(ledger)}\n`)
})
