import { Problem, type Fault } from '../errors.ts'
import { MAX_FAULTS } from '../schemas/find-faults.ts'
import type { Entry, Session, UnlinkedEntry } from './entry.ts'
import { toolCallsOf } from './message.ts'
import { linkTree } from './tree.ts'

/**
 * Links the entries of a session of pi or oh-my-pi, versions 1 to 3 (planning rule 1). The entries get their ids in place.
 * @param skipped the positions of lines that could not be read, in ascending order
 * @throws Problem `invalid-session` that names each broken entry by its pointer
 */
export function linkEntries(unlinked: readonly UnlinkedEntry[], skipped: readonly number[] = []): Session {
  const entries = unlinked.some(hasId) ? linkNamed(unlinked) : linkLine(unlinked, 'e')
  if (skipped.length > 0) bridgeGaps(entries, skipped)
  return { entries, byId: linkTree(entries, 'entries') }
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

function nameTools(entries: readonly Entry[]): void {
  const toolNames = new Map<string, string>()
  for (const { message } of entries) {
    if (message === undefined) continue
    for (const call of toolCallsOf(message)) toolNames.set(call.id, call.name)
    if (message.role === 'toolResult' && message.toolName === '')
      message.toolName = toolNames.get(message.toolCallId) ?? ''
  }
}
