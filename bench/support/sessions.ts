import { chain, type SessionEntry } from './session-entry.ts'
import { english } from './english.ts'
import { generateSession } from './generate-session.ts'

const SEED = 4242

/** A generated session of about so many tokens, as the body of a request. */
export const sessionBody = (tokens: number): string =>
  JSON.stringify({ entries: generateSession(english, { characters: tokens * 4, seed: SEED }).entries })

/** A session of entries of a few words each, as the body of a request. */
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

/** A session of so many megabytes, in entries of some 10 KB. */
export const largeBody = (megabytes: number): string => sessionBody((megabytes * 1_000_000) / 4.4)
