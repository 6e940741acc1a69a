import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readSessionFile } from '../../eval/session.ts'
import { readRealSession } from './read-real-session.ts'
import { charactersOf, type SessionEntry, type SessionMessage } from './session-entry.ts'

const OTHERS = ['session-2.1.39-4d5611e5.jsonl', 'session-2.1.39-ae4a77f8.jsonl'].map(
  (name) => new URL(`../../../shared/agents/samples/claude-code/${name}`, import.meta.url),
)
const CHARACTERS_PER_TOKEN = 4

const MARK = /Session-mark-\d{1,4}-end/

/** Returns the mark of a session in a text. */
export const markOf = (text: string): string | undefined => MARK.exec(text)?.[0]

/** Returns the messages of real sessions of pi and Claude Code, one session after the other; undefined where the files are missing. */
export function readRealMessages(): SessionMessage[][] | undefined {
  const first = readRealSession()
  if (first === undefined || !OTHERS.every((file) => existsSync(file))) return undefined
  const others = OTHERS.map((file) => readSessionFile(fileURLToPath(file), false).branch as unknown as SessionEntry[])
  return [first, ...others].map((entries) => entries.flatMap(({ message }) => (message ? [withoutUsage(message)] : [])))
}

/** The tokens are those of a replay, which has other beginnings than the session that they were counted in. */
const withoutUsage = ({ usage: _usage, tokens: _tokens, ...message }: SessionMessage): SessionMessage => message

/**
 * Returns the entries of a session of some length: real sessions one after the other, beginning with another one and at another
 * place for each number. Every message of the user has the mark of the session.
 */
export function replayedSession(real: readonly SessionMessage[][], number: number, tokens: number): SessionEntry[] {
  const mark = `Session-mark-${number}-end`
  const all = real.map((_, index) => real[(index + number) % real.length] ?? []).flat()
  const from = (number * 20) % (all.length / 2)
  const skipped = all.findIndex(({ role }, index) => index >= from && role === 'user')
  const entries: SessionEntry[] = []
  let characters = 0
  for (let index = skipped; characters < tokens * CHARACTERS_PER_TOKEN; index++) {
    const message = all[index % all.length]
    if (message === undefined) break
    const id = `s${number}-${entries.length}`
    entries.push({ type: 'message', id, parentId: entries.at(-1)?.id ?? null, message: marked(message, mark) })
    characters += charactersOf(message)
  }
  return entries
}

function marked(message: SessionMessage, mark: string): SessionMessage {
  if (message.role !== 'user') return message
  const parts =
    typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : (message.content ?? [])
  return { ...message, content: [{ type: 'text', text: `${mark}: ` }, ...parts] }
}

/** Returns the tokens of an entry, about. */
export const tokensOfEntry = ({ message }: SessionEntry): number =>
  message === undefined ? 0 : charactersOf(message) / CHARACTERS_PER_TOKEN
