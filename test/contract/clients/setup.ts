import { readFileSync } from 'node:fs'

const { URL = '', TOKEN = '', SESSION = '' } = process.env

export const url = URL
export const token = TOKEN

/** The text of the example session, a session file. */
export const session = readFileSync(SESSION, 'utf8')

export const messages = [
  { role: 'user' as const, content: 'Fix the parser.' },
  { role: 'assistant' as const, content: 'It is fixed.' },
  { role: 'user' as const, content: 'Now the lexer.' },
]

/** A chat that asks for its summary: this service calls no model, and answers no other one. */
export const chat = [...messages, { role: 'user' as const, content: 'Summarize our conversation.' }]

export function check(name: string, found: unknown, wanted: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(wanted))
    throw new Error(`${name}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`)
}
