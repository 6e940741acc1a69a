import { Problem, type Fault } from '../errors.ts'
import type { Entry, Session } from './entry.ts'

const MAX_FAULTS = 20

/**
 * Checks that entries make a tree (planning rule 1) and maps them by id. The first entry may name a parent outside the
 * body, since a body may be a session's tail: it becomes a root.
 * @throws Problem `invalid-session` for a duplicate id, any other parent that is not there, or a cycle
 */
export function linkTree(entries: readonly Entry[], collection: string): Map<string, Entry> {
  const byId = new Map<string, Entry>()
  const faults: Fault[] = []
  const complain = (entry: Entry, field: string, detail: string): void => {
    if (faults.length < MAX_FAULTS) faults.push({ pointer: `/${collection}/${entry.index}/${field}`, detail })
  }
  for (const entry of entries) {
    if (byId.has(entry.id)) complain(entry, 'id', 'is the id of an earlier entry too')
    else byId.set(entry.id, entry)
  }
  let isInOrder = true
  for (const entry of entries) {
    if (entry.parentId === null) continue
    const parent = byId.get(entry.parentId)
    if (parent !== undefined) isInOrder &&= parent.index < entry.index
    else if (entry === entries[0]) entry.parentId = null
    else complain(entry, 'parentId', 'names no entry of the body')
  }
  // Where each parent stands before its child, as clients write them, no path can come back.
  const looping = faults.length === 0 && !isInOrder ? findCycle(entries, byId) : undefined
  if (looping !== undefined) complain(looping, 'parentId', 'leads back to the entry itself')
  if (faults.length > 0) throw new Problem('invalid-session', 'The entries are not a tree.', { faults })
  return byId
}

/** Finds an entry on a cycle in linear time: a walk towards the root never enters what an earlier walk has cleared. */
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

/** Most bodies are a branch already. */
const isOneLine = (entries: readonly Entry[]): boolean =>
  entries.every(({ parentId }, index) => parentId === (entries[index - 1]?.id ?? null))

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

function findLeaf(session: Session, leafId: string): Entry {
  const leaf = session.byId.get(leafId)
  if (leaf !== undefined) return leaf
  const faults = [{ pointer: '/leafId', detail: 'names no entry of the body' }]
  throw new Problem('invalid-session', 'The leaf is not in the session.', { faults })
}
