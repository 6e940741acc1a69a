import { Problem, type Fault } from '../errors.ts'
import type { RawEntry } from '../schemas/entry.ts'
import { MAX_FAULTS } from '../schemas/find-faults.ts'
import type { RawMessage } from '../schemas/message.ts'
import { KNOWN_PLACE, type Entry, type Session } from './entry.ts'
import { toolCallsOf, type Message } from './message.ts'
import { readEntry } from './read-entry.ts'
import { readMessage } from './read-message.ts'
import { linkTree, selectBranch } from './tree.ts'

/** The fields of an entries or messages form that contain the session. */
type SessionFields = ({ entries: RawEntry[] } | { messages: RawMessage[] }) & { leafId?: string }

/**
 * Reads the active branch of an entries or messages form, oldest entry first.
 * @throws Problem `invalid-session`
 */
export function readBranch(fields: SessionFields): Entry[] {
  return selectBranch(readWholeSession(fields), fields.leafId)
}

/** Reads all entries of an entries or messages form. @throws Problem `invalid-session` */
export function readWholeSession(fields: SessionFields): Session {
  return 'entries' in fields ? readSession(fields.entries) : readMessages(fields.messages)
}

/**
 * Reads the entries of a session of pi or oh-my-pi, versions 1 to 3, as they are on disk (planning rule 1).
 * @param rawEntries checked entries; header and title lines may be among them
 * @throws Problem `invalid-session` that names each broken entry by its pointer
 */
export function readSession(rawEntries: readonly RawEntry[]): Session {
  const located = rawEntries.map(locate).filter(({ raw }) => !isFileLine(raw))
  const entries = located.some(hasId) ? readTree(located) : readWithoutIds(located)
  return { entries, byId: linkTree(entries, 'entries') }
}

/** Lines of a session file that are not entries: the header of pi and oh-my-pi, and oh-my-pi's padded title. */
const FILE_LINES = new Set<string>(['session', 'title'])

/** Returns whether a line of a session file is not an entry, wherever it is in the file. */
export const isFileLine = ({ type }: RawEntry): boolean => FILE_LINES.has(type)

/** A raw entry and its index in the body. */
interface LocatedEntry {
  raw: RawEntry
  index: number
}

function locate(raw: RawEntry & { [KNOWN_PLACE]?: number }, index: number): LocatedEntry {
  return { raw, index: raw[KNOWN_PLACE] ?? index }
}

function hasId({ raw }: LocatedEntry): boolean {
  return raw.id !== undefined
}

/** Reads session version 1: entries without ids form one branch, and their positions are their ids. */
function readWithoutIds(located: readonly LocatedEntry[]): Entry[] {
  return located.map(({ raw, index }, position) =>
    readEntry(raw, { index, id: `e${position}`, parentId: position === 0 ? null : `e${position - 1}` }),
  )
}

/** Reads session versions 2 and 3, a tree. If no entry names a parent, the entries form one branch in their order. */
function readTree(located: readonly LocatedEntry[]): Entry[] {
  throwIfIdMissing(located)
  // An entry without an id is a line of an unknown type: it is skipped like the header.
  const named = located.filter(hasId)
  const isOneBranch = named.every(({ raw }) => raw.parentId === undefined)
  return named.map(({ raw, index }, position) => {
    const previous = isOneBranch ? (named[position - 1]?.raw.id ?? null) : null
    return readEntry(raw, { index, id: raw.id ?? '', parentId: raw.parentId ?? previous })
  })
}

/** Types with a meaning in the planning rules: without this check, such an entry without an id would be ignored. */
const TYPES_WITH_ID = new Set<string>(['message', 'custom_message', 'branch_summary', 'compaction', 'reset_boundary'])

function throwIfIdMissing(located: readonly LocatedEntry[]): void {
  const faults: Fault[] = located
    .filter((entry) => !hasId(entry) && TYPES_WITH_ID.has(entry.raw.type))
    .slice(0, MAX_FAULTS)
    .map(({ index }) => ({ pointer: `/entries/${index}/id`, detail: 'is required, because other entries have an id' }))
  if (faults.length > 0) {
    throw new Problem('invalid-session', 'Some entries have an id and others do not.', { faults })
  }
}

/**
 * Reads the messages form as a session of one branch, with the ids `m0`, `m1`, ... OpenAI's tool messages do not have
 * the tool's name: it is copied from the call that they answer.
 */
export function readMessages(rawMessages: readonly RawMessage[]): Session {
  const toolNames = new Map<string, string>()
  const entries = rawMessages.map((raw, index): Entry => {
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
