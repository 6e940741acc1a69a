import { Problem } from '../errors.ts'
import type { Entry } from './entry.ts'
import type { Session } from './read-session.ts'

/**
 * Selects the active branch: the path from the leaf to the root (planning rule 1).
 * @param leafId left out: the last entry of the body
 * @returns the entries from the root to the leaf; empty for a session without entries
 * @throws Problem `invalid-session` where no entry has the id
 */
export function selectBranch(session: Session, leafId?: string): Entry[] {
  const { entries, byId } = session
  if (leafId === undefined && isOneLine(entries)) return [...entries]
  let entry = leafId === undefined ? entries.at(-1) : findLeaf(session, leafId)
  const path: Entry[] = []
  while (entry !== undefined) {
    path.push(entry)
    entry = entry.parentId === null ? undefined : byId.get(entry.parentId)
  }
  return path.reverse()
}

/** Most bodies are a branch already. */
const isOneLine = (entries: readonly Entry[]): boolean =>
  entries.every(({ parentId }, index) => parentId === (entries[index - 1]?.id ?? null))

function findLeaf(session: Session, leafId: string): Entry {
  const leaf = session.byId.get(leafId)
  if (leaf !== undefined) return leaf
  const faults = [{ pointer: '/leafId', detail: 'names no entry of the body' }]
  throw new Problem('invalid-session', 'The leaf is not in the session.', { faults })
}
