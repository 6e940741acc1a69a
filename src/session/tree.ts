import { Problem, type Fault } from '../errors.ts'
import { MAX_FAULTS } from '../schemas/find-faults.ts'
import type { Entry, Session } from './entry.ts'

/**
 * Checks that entries form a tree (planning rule 1) and returns them by id. The first entry may name a parent outside
 * the body, since a body may be the end of a session: it becomes a root.
 * @throws Problem `invalid-session` for a duplicate id, any other unknown parent, or a cycle
 */
export function linkTree(entries: readonly Entry[], collection: string): Map<string, Entry> {
  const byId = new Map<string, Entry>()
  const faults: Fault[] = []
  const addFault = (entry: Entry, field: string, detail: string): void => {
    if (faults.length < MAX_FAULTS) faults.push({ pointer: `/${collection}/${entry.index}/${field}`, detail })
  }
  for (const entry of entries) {
    if (byId.has(entry.id))
      addFault(entry, 'id', 'is also the id of an earlier entry: every entry must have its own id')
    else byId.set(entry.id, entry)
  }
  let isInOrder = true
  for (const entry of entries) {
    if (entry.parentId === null) continue
    const parent = byId.get(entry.parentId)
    if (parent !== undefined) isInOrder &&= parent.index < entry.index
    else if (entry === entries[0]) entry.parentId = null
    else addFault(entry, 'parentId', 'must be the id of an entry in the body')
  }
  // If each parent is before its child, as clients write them, there is no cycle.
  const looping = faults.length === 0 && !isInOrder ? findCycle(entries, byId) : undefined
  if (looping !== undefined)
    addFault(looping, 'parentId', 'leads back to the same entry: the parents must not form a cycle')
  if (faults.length > 0) throw new Problem('invalid-session', 'The entries do not form a tree.', { faults })
  return byId
}

/** Finds an entry on a cycle in linear time: a walk towards the root stops at an entry that an earlier walk has seen. */
function findCycle(entries: readonly Entry[], byId: ReadonlyMap<string, Entry>): Entry | undefined {
  const walkOf = new Map<Entry, Entry>()
  for (const start of entries) {
    let entry: Entry | undefined = start
    while (entry !== undefined && !walkOf.has(entry)) {
      walkOf.set(entry, start)
      entry = entry.parentId === null ? undefined : byId.get(entry.parentId)
    }
    if (entry !== undefined && walkOf.get(entry) === start) return entry
  }
  return undefined
}

/**
 * Returns the active branch, the path from the root to the leaf (planning rule 1); empty for a session without entries.
 * @param leafId default: the last entry of the body
 * @throws Problem `invalid-session` if no entry has the id
 */
export function selectBranch(session: Session, leafId?: string): Entry[] {
  const { entries, byId } = session
  if (leafId === undefined && isOneBranch(entries)) return [...entries]
  let entry = leafId === undefined ? entries.at(-1) : findLeaf(session, leafId)
  const path: Entry[] = []
  while (entry !== undefined) {
    path.push(entry)
    entry = entry.parentId === null ? undefined : byId.get(entry.parentId)
  }
  return path.reverse()
}

/** Most bodies are one branch already. */
function isOneBranch(entries: readonly Entry[]): boolean {
  return entries.every(({ parentId }, index) => parentId === (entries[index - 1]?.id ?? null))
}

function findLeaf(session: Session, leafId: string): Entry {
  const leaf = session.byId.get(leafId)
  if (leaf !== undefined) return leaf
  const faults = [{ pointer: '/leafId', detail: 'must be the id of an entry in the body' }]
  throw new Problem('invalid-session', 'The leaf is not in the session.', { faults })
}
