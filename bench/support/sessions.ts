import { chain, type SessionEntry } from './session-entry.ts'
import { english } from './english.ts'
import { generateSession } from './generate-session.ts'

const SEED = 4242

/** Returns a generated session of about the given number of tokens, as the body of a request. */
export const sessionBody = (tokens: number): string =>
  JSON.stringify({ entries: generateSession(english, { characters: tokens * 4, seed: SEED }).entries })

/** Returns a session of entries of a few words each, as the body of a request. */
export function tinyEntriesBody(count: number): string {
  const entries: Omit<SessionEntry, 'parentId'>[] = Array.from({ length: count }, (_, index) => ({
    type: 'message',
    id: `t${index}`,
    message:
      index % 2 === 0
        ? { role: 'user', content: `Step ${index}, please.` }
        : { role: 'assistant', content: [{ type: 'text', text: `Step ${index} is done.` }] },
  }))
  return JSON.stringify({ entries: chain(entries) })
}

/**
 * The characters of each of the sessions that form a large one: its 400 entries have some 2 KB each, like real ones.
 */
const PART_CHARACTERS = 880_000

/** Returns a session of the given number of megabytes, many days of work in one line, as the body of a request. */
export function largeBody(megabytes: number): string {
  const parts = Array.from({ length: megabytes }, (_, part) =>
    generateSession(english, { characters: PART_CHARACTERS, seed: SEED + part }).entries.map((entry) => ({
      ...entry,
      id: `${entry.id}-${part}`,
    })),
  )
  return JSON.stringify({ entries: chain(parts.flat()) })
}
