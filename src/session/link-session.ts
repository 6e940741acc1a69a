import { Problem, type Fault } from '../errors.ts'
import { MAX_FAULTS } from '../schemas/find-faults.ts'
import type { Entry, Session, UnlinkedEntry } from './entry.ts'
import { toolCallsOf } from './message.ts'

/**
 * Links the entries of a session of pi or oh-my-pi, versions 1 to 3 (planning rule 1). The entries get their ids in place.
 * @param skipped the positions of lines that could not be read, in ascending order
 * @throws Problem `invalid-session` that names each broken entry by its pointer
 */
export function linkEntries(unlinked: readonly UnlinkedEntry[], skipped: readonly number[] = []): Session {
  const entries = unlinked.some(hasId) ? linkNamed(unlinked) : linkLine(unlinked, 'e')
  if (skipped.length > 0) bridgeGaps(entries, skipped)
  return { entries, byId: linkTree(entries) }
}

/**
 * Links the messages form as a session of one branch, with the ids `m0`, `m1`, ... OpenAI's tool messages do not have
 * the tool's name: it is copied from the call that they answer.
 */
export function linkMessages(unlinked: readonly UnlinkedEntry[]): Session {
  const entries = linkLine(unlinked, 'm')
  nameTools(entries)
  return { entries, byId: new Map(entries.map((entry) => [entry.id, entry])) }
}

function hasId({ id }: UnlinkedEntry): boolean {
  return id !== undefined
}

/** Links entries without ids (session version 1) as one branch: their positions are their ids. */
function linkLine(unlinked: readonly UnlinkedEntry[], prefix: string): Entry[] {
  return unlinked.map((entry, position) =>
    link(entry, `${prefix}${position}`, position === 0 ? null : `${prefix}${position - 1}`),
  )
}

/** Links session versions 2 and 3, a tree. If no entry names a parent, the entries form one branch in their order. */
function linkNamed(unlinked: readonly UnlinkedEntry[]): Entry[] {
  throwIfIdMissing(unlinked)
  // An entry without an id is a line of an unknown type: it is skipped like the header.
  const named = unlinked.filter(hasId)
  const isOneBranch = named.every(({ parentId }) => parentId === undefined)
  return named.map((entry, position) => {
    const previous = isOneBranch ? (named[position - 1]?.id ?? null) : null
    return link(entry, entry.id ?? '', entry.parentId ?? previous)
  })
}

function link(entry: UnlinkedEntry, id: string, parentId: string | null): Entry {
  return Object.assign(entry, { id, parentId })
}

/**
 * Links entries whose parent was probably on a skipped line to the entry before that line: an agent appends to the leaf. All
 * entries with the same missing parent get the same one.
 */
function bridgeGaps(entries: readonly Entry[], skipped: readonly number[]): void {
  const ids = new Set(entries.map(({ id }) => id))
  const bridges = new Map<string, string | null>()
  let previousId: string | null = null
  let beforeGap: string | null = null
  let gaps = 0
  for (const entry of entries) {
    const { id, index, parentId } = entry
    for (; (skipped[gaps] ?? Infinity) < index; gaps++) beforeGap = previousId
    if (gaps > 0 && parentId !== null && !ids.has(parentId)) {
      const known = bridges.get(parentId)
      const bridge = known === undefined ? beforeGap : known
      bridges.set(parentId, bridge)
      entry.parentId = bridge
    }
    previousId = id
  }
}

/** Types with a meaning in the planning rules: without this check, such an entry without an id would be ignored. */
const TYPES_WITH_ID = new Set<string>(['message', 'custom_message', 'branch_summary', 'compaction', 'reset_boundary'])

function throwIfIdMissing(unlinked: readonly UnlinkedEntry[]): void {
  const faults: Fault[] = unlinked
    .filter((entry) => !hasId(entry) && TYPES_WITH_ID.has(entry.type))
    .slice(0, MAX_FAULTS)
    .map(({ index }) => ({ pointer: `/entries/${index}/id`, detail: 'is required, because other entries have an id' }))
  if (faults.length > 0) {
    throw new Problem('invalid-session', 'Some entries have an id and others do not.', { faults })
  }
}

/** Copies the name of a tool from a call to its results, if they have none. */
export function nameTools(entries: readonly Pick<Entry, 'message'>[]): void {
  const toolNames = new Map<string, string>()
  for (const { message } of entries) {
    if (message === undefined) continue
    for (const call of toolCallsOf(message)) toolNames.set(call.id, call.name)
    if (message.role === 'toolResult' && message.toolName === '')
      message.toolName = toolNames.get(message.toolCallId) ?? ''
  }
}

/**
 * Checks that entries form a tree (planning rule 1) and returns them by id. The first entry may name a parent outside
 * the body, since a body may be the end of a session: it becomes a root.
 * @throws Problem `invalid-session` for a duplicate id, any other unknown parent, or a cycle
 */
function linkTree(entries: readonly Entry[]): Map<string, Entry> {
  const byId = new Map<string, Entry>()
  const faults: Fault[] = []
  const addFault = (entry: Entry, field: string, detail: string): void => {
    if (faults.length < MAX_FAULTS) faults.push({ pointer: `/entries/${entry.index}/${field}`, detail })
  }
  for (const entry of entries) {
    if (byId.has(entry.id))
      addFault(
        entry,
        'id',
        `is also the id of an earlier entry: remove the repeated entry${lineOf(entry)}, or give it an id of its own`,
      )
    else byId.set(entry.id, entry)
  }
  let isInOrder = true
  for (const entry of entries) {
    if (entry.parentId === null) continue
    const parent = byId.get(entry.parentId)
    if (parent !== undefined) isInOrder &&= parent.index < entry.index
    else if (entry === entries[0]) entry.parentId = null
    else
      addFault(
        entry,
        'parentId',
        `must be the id of an entry in the body${lineOf(entry)}: add that entry, or name another one`,
      )
  }
  // If each parent is before its child, as clients write them, there is no cycle.
  const looping = faults.length === 0 && !isInOrder ? findCycle(entries, byId) : undefined
  if (looping !== undefined)
    addFault(looping, 'parentId', 'leads back to the same entry: the parents must not form a cycle')
  if (faults.length > 0) throw new Problem('invalid-session', 'The entries do not form a tree.', { faults })
  return byId
}

/** Names the line of an entry, for a session file: its element is the line of that number. */
const lineOf = ({ index }: Entry): string => ` (line ${index + 1} of a session file)`

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
 * @param leafId default: the leaf that the session names, or else the last entry of the body
 * @throws Problem `invalid-session` if no entry has the id
 */
export function selectBranch(session: Session, leafId = session.leafId): Entry[] {
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
