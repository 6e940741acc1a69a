import { Problem, type Fault } from '../errors.ts'
import type { RawEntry } from '../schemas/entry.ts'
import type { Entry } from './entry.ts'
import { KNOWN_PLACE } from './known-place.ts'
import { linkTree } from './link-tree.ts'
import { mapInSteps, runSteps, type Steps } from '../steps.ts'
import { readEntry } from './read-entry.ts'

/** Lines of a session file that are no entries: pi's and oh-my-pi's header, and oh-my-pi's padded title slot. */
const FILE_LINES = new Set(['session', 'title'])

/** Whether it is no entry, wherever it stands. */
export const isFileLine = ({ type }: RawEntry): boolean => FILE_LINES.has(type)

/** Entries that the planning rules speak of: without an id they would be lost unseen. */
const TREE_TYPES = new Set(['message', 'custom_message', 'branch_summary', 'compaction', 'reset_boundary'])

/** A session tree, every entry of the body in order. */
export interface Session {
  entries: Entry[]
  byId: ReadonlyMap<string, Entry>
}

interface Line {
  raw: RawEntry
  index: number
}

/**
 * Reads the entries of a session of pi or oh-my-pi, versions 1 to 3, as they are on disk (planning rule 1).
 * @param rawEntries checked entries; header and title lines may be among them
 * @throws Problem `invalid-session` that names each broken entry by its pointer
 */
export const readSession = (rawEntries: readonly RawEntry[]): Session => runSteps(readSessionInSteps(rawEntries))

/** The same, an entry a step. */
export function* readSessionInSteps(rawEntries: readonly RawEntry[]): Steps<Session> {
  const lines = rawEntries.map(placeOf).filter(({ raw }) => !isFileLine(raw))
  const entries = yield* lines.some(hasId) ? readTree(lines) : readLine(lines)
  yield
  return { entries, byId: linkTree(entries, 'entries') }
}

const placeOf = (raw: RawEntry & { [KNOWN_PLACE]?: number }, index: number): Line => ({
  raw,
  index: raw[KNOWN_PLACE] ?? index,
})

const hasId = ({ raw }: Line): boolean => raw.id !== undefined

/** Session version 1: no ids, one line of entries, named by their positions. */
function readLine(lines: readonly Line[]): Steps<Entry[]> {
  return mapInSteps(lines, ({ raw, index }, position) =>
    readEntry(raw, { index, id: `e${position}`, parentId: position === 0 ? null : `e${position - 1}` }),
  )
}

/**
 * Session versions 2 and 3, a tree. Where no entry names a parent at all, the body's order is the line that was meant.
 */
function readTree(lines: readonly Line[]): Steps<Entry[]> {
  throwIfUnnamed(lines)
  // What has no id is in no tree: a line of a type that this version does not know, skipped like the header.
  const named = lines.filter(hasId)
  const isLine = named.every(({ raw }) => raw.parentId === undefined)
  return mapInSteps(named, ({ raw, index }, position) => {
    const previous = isLine ? (named[position - 1]?.raw.id ?? null) : null
    return readEntry(raw, { index, id: raw.id ?? '', parentId: raw.parentId ?? previous })
  })
}

function throwIfUnnamed(lines: readonly Line[]): void {
  const faults: Fault[] = lines
    .filter((line) => !hasId(line) && TREE_TYPES.has(line.raw.type))
    .slice(0, 20)
    .map(({ index }) => ({ pointer: `/entries/${index}/id`, detail: 'is required where other entries have one' }))
  if (faults.length > 0) throw new Problem('invalid-session', 'Some entries have ids and others have none.', { faults })
}
