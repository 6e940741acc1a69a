import { Problem, type Fault } from '../errors.ts'
import type { RawEntry } from '../schemas/entry.ts'
import { type Entry, KNOWN_PLACE, type Session } from './entry.ts'
import { linkTree, selectBranch } from './tree.ts'
import { mapCooperatively, runToEnd, type Cooperative, type Yielder, runCooperatively } from '../runtime/cooperative.ts'
import { readEntry } from './read-entry.ts'
import type { RawMessage } from '../schemas/message.ts'
import { toolCallsOf, type Message } from './message.ts'
import { readMessage } from './read-message.ts'

/** Lines of a session file that are no entries: pi's and oh-my-pi's header, and oh-my-pi's padded title slot. */
const FILE_LINES = new Set(['session', 'title'])

/** Whether it is no entry, wherever it stands. */
export const isFileLine = ({ type }: RawEntry): boolean => FILE_LINES.has(type)

/** Entries that the planning rules speak of: without an id they would be lost unseen. */
const TREE_TYPES = new Set(['message', 'custom_message', 'branch_summary', 'compaction', 'reset_boundary'])

interface Line {
  raw: RawEntry
  index: number
}

const hasId = ({ raw }: Line): boolean => raw.id !== undefined

const placeOf = (raw: RawEntry & { [KNOWN_PLACE]?: number }, index: number): Line => ({
  raw,
  index: raw[KNOWN_PLACE] ?? index,
})

/**
 * Reads the entries of a session of pi or oh-my-pi, versions 1 to 3, as they are on disk (planning rule 1).
 * @param rawEntries checked entries; header and title lines may be among them
 * @throws Problem `invalid-session` that names each broken entry by its pointer
 */
export const readSession = (rawEntries: readonly RawEntry[]): Session => runToEnd(readSessionCooperatively(rawEntries))

/** The same, an entry a step. */
export function* readSessionCooperatively(rawEntries: readonly RawEntry[]): Cooperative<Session> {
  const lines = rawEntries.map(placeOf).filter(({ raw }) => !isFileLine(raw))
  const entries = yield* lines.some(hasId) ? readTree(lines) : readLine(lines)
  yield
  return { entries, byId: linkTree(entries, 'entries') }
}

/** Session version 1: no ids, one line of entries, named by their positions. */
function readLine(lines: readonly Line[]): Cooperative<Entry[]> {
  return mapCooperatively(lines, ({ raw, index }, position) =>
    readEntry(raw, { index, id: `e${position}`, parentId: position === 0 ? null : `e${position - 1}` }),
  )
}

/**
 * Session versions 2 and 3, a tree. Where no entry names a parent at all, the body's order is the line that was meant.
 */
function readTree(lines: readonly Line[]): Cooperative<Entry[]> {
  throwIfUnnamed(lines)
  // What has no id is in no tree: a line of a type that this version does not know, skipped like the header.
  const named = lines.filter(hasId)
  const isLine = named.every(({ raw }) => raw.parentId === undefined)
  return mapCooperatively(named, ({ raw, index }, position) => {
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

/**
 * Reads the messages form as a session of one line, with the ids `m0`, `m1`, ... OpenAI's tool messages do not tell
 * the tool's name: they take it from the call that they answer.
 */
export function* readMessages(rawMessages: readonly RawMessage[]): Cooperative<Session> {
  const toolNames = new Map<string, string>()
  const entries = yield* mapCooperatively(rawMessages, (raw, index): Entry => {
    const message = nameTool(readMessage(raw), toolNames)
    return {
      index,
      id: `m${index}`,
      parentId: index === 0 ? null : `m${index - 1}`,
      type: 'message',
      ...(message === undefined ? {} : { message }),
      raw: { type: 'message', message: raw },
    }
  })
  return { entries, byId: new Map(entries.map((entry) => [entry.id, entry])) }
}

function nameTool(message: Message | undefined, toolNames: Map<string, string>): Message | undefined {
  if (message === undefined) return undefined
  for (const call of toolCallsOf(message)) toolNames.set(call.id, call.name)
  if (message.role !== 'toolResult' || message.toolName !== '') return message
  return { ...message, toolName: toolNames.get(message.toolCallId) ?? '' }
}

/** The part of a form that holds the session. */
export type SessionLists = ({ entries: RawEntry[] } | { messages: RawMessage[] }) & { leafId?: string }

/** Reads the session of an entries or messages form. @throws Problem `invalid-session` */
export function readSessionLists(body: SessionLists, yieldIfDue: Yielder): Promise<Session> {
  return runCooperatively(
    'entries' in body ? readSessionCooperatively(body.entries) : readMessages(body.messages),
    yieldIfDue,
  )
}

/**
 * Reads the active branch of an entries or messages form, oldest entry first.
 * @throws Problem `invalid-session`
 */
export async function readBranch(body: SessionLists, yieldIfDue: Yielder): Promise<Entry[]> {
  return selectBranch(await readSessionLists(body, yieldIfDue), body.leafId)
}
