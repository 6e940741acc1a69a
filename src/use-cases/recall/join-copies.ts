import type { SessionSource } from '../../ingest/read-request.ts'
import type { Entry } from '../../session/entry.ts'

/** A session as it was before a compaction that has replaced its file. */
export interface SessionCopy {
  /** Begins the ids of its entries. */
  name: string
  branch: readonly Entry[]
  source: Pick<SessionSource, 'body'>
}

export interface JoinedSession {
  entries: readonly Entry[]
  branch: readonly Entry[]
  /** Returns the file of an entry. */
  bodyOf: (entry: Entry) => Buffer
}

/** A session without its earlier copies. */
export type SessionToSearch = Omit<JoinedSession, 'bodyOf'> & Pick<SessionCopy, 'source'>

/**
 * Returns a session with what only its earlier copies have, before its own entries. A message that a compaction has kept is in both:
 * it counts once, where it is now.
 * @param copies oldest first
 */
export function joinCopies(
  { entries, branch, source }: SessionToSearch,
  copies: readonly SessionCopy[],
): JoinedSession {
  const bodies = new Map<Entry, Buffer>()
  const earlier: Entry[] = []
  for (const [index, { name, branch: all, source: from }] of copies.entries()) {
    const later = copies[index + 1]?.branch ?? entries
    for (const entry of withoutKept(all, later)) {
      const named = { ...entry, id: `${name}:${entry.id}` }
      bodies.set(named, from.body)
      earlier.push(named)
    }
  }
  return {
    entries: [...earlier, ...entries],
    branch: [...earlier, ...branch],
    bodyOf: (entry) => bodies.get(entry) ?? source.body,
  }
}

/** Returns the entries that are not among later ones. Of equal messages, the newest were kept. */
function withoutKept(entries: readonly Entry[], later: readonly Entry[]): Entry[] {
  const kept = new Map<string, number>()
  for (const entry of later) kept.set(contentOf(entry), (kept.get(contentOf(entry)) ?? 0) + 1)
  return entries
    .toReversed()
    .filter((entry) => {
      const content = contentOf(entry)
      const left = kept.get(content) ?? 0
      kept.set(content, left - 1)
      return left <= 0
    })
    .reverse()
}

const contentOf = ({ message, compaction }: Entry): string => JSON.stringify([message, compaction?.summary])
