import type { Fault } from '../errors.ts'
import type { RawEntry } from '../schemas/entry.ts'
import { KNOWN_TOKENS } from '../session/entry.ts'
import { fieldsOf } from '../session/entry.ts'
import { isFileLine } from '../session/read-session.ts'
import type { Keep, ListName, ListReader } from './list-reader.ts'
import { pick } from './trim-entry.ts'

interface SessionParts {
  fields: Record<string, unknown>
  lists: ReadonlyMap<ListName, ListReader>
  keep: Keep
  isLines?: boolean
}

/** A body whose lists were checked while they were received; its other fields are not checked yet. */
export class SessionBody {
  /** The body's fields, with empty lists. */
  fields: Record<string, unknown>
  /** True for an NDJSON body: its other fields are query parameters. */
  readonly isLines: boolean
  readonly #lists: ReadonlyMap<ListName, ListReader>
  readonly #keep: Keep

  constructor({ fields, lists, keep, isLines = false }: SessionParts) {
    this.fields = fields
    this.isLines = isLines
    this.#lists = lists
    this.#keep = keep
  }

  /** Returns the faults of all elements of the lists. */
  faults(): Fault[] {
    return [...this.#lists.values()].flatMap(({ faults }) => faults)
  }

  /** Returns the whole body. To be called once its other fields have been checked. */
  join(): Record<string, unknown> {
    const lists = [...this.#lists].map(([name, { values }]) => [name, values] as const)
    const body: Record<string, unknown> = { ...this.fields, ...Object.fromEntries(lists) }
    if (this.#keep === 'considered' && this.#lists.has('entries'))
      dropCompacted(body['entries'] as RawEntry[], body['leafId'])
    return body
  }
}

/**
 * Empties, in place, the messages that the plan does not read: those before the entries that the newest compaction kept,
 * and those that are not on the branch. It runs once the whole body has been received: a later entry may name an earlier
 * one as its parent, and `leafId` may follow the entries. Tokens, tool calls and requests stay. Nothing is emptied if the
 * entries are not a plain tree.
 */
function dropCompacted(entries: readonly RawEntry[], leafId: unknown): void {
  const path = findPath(entries, leafId)
  if (path === undefined) return
  const onPath = new Set(path)
  const consideredFrom = findConsideredStart(path)
  for (const [index, entry] of path.entries()) if (index < consideredFrom) empty(entry)
  for (const entry of entries) if (!onPath.has(entry)) empty(entry)
}

/** Returns the branch, root first; undefined if ids are missing, occur twice, or form a cycle. */
function findPath(entries: readonly RawEntry[], leafId: unknown): RawEntry[] | undefined {
  const named = entries.filter((entry) => entry.id !== undefined && !isFileLine(entry))
  const byId = new Map<unknown, RawEntry>(named.map((entry) => [entry.id, entry]))
  if (byId.size < named.length || named.every(({ parentId }) => parentId === undefined)) return undefined
  const path: RawEntry[] = []
  let entry = leafId === undefined ? named.at(-1) : byId.get(leafId)
  for (; entry !== undefined && path.length <= named.length; entry = byId.get(entry.parentId ?? undefined))
    path.push(entry)
  return path.length > named.length ? undefined : path.reverse()
}

/** Returns the index on the branch where the considered entries begin (planning rule 3); 0 if it is uncertain. */
function findConsideredStart(path: readonly RawEntry[]): number {
  const at = path.findLastIndex(({ type }) => type === 'compaction')
  const compaction = path[at]
  if (compaction?.type !== 'compaction') return 0
  const { firstKeptEntryId, preserveData } = compaction
  if (preserveData?.['openaiRemoteCompaction'] !== undefined) return 0
  const kept = path.findIndex(({ id }) => id === (firstKeptEntryId ?? null))
  return kept < at ? Math.max(kept, 0) : 0
}

/** The fields that give a message its kind and pair tool results with their calls. */
const FIELDS_OF_EMPTIED = [
  'role',
  'excludeFromContext',
  'toolCallId',
  'tool_call_id',
  'tool_calls',
  'toolName',
  'command',
  'summary',
]

function empty(entry: RawEntry): void {
  if (entry.type !== 'message' || entry.message.role === 'user') return
  const { message } = entry
  const content = Array.isArray(message['content']) ? message['content'].flatMap(emptyBlock) : []
  const emptied: Record<string | symbol, unknown> = { ...pick(message, FIELDS_OF_EMPTIED), content }
  if (KNOWN_TOKENS in message) emptied[KNOWN_TOKENS] = message[KNOWN_TOKENS]
  Object.assign(entry, { message: emptied })
}

/** A block of a message with an unknown role has not been checked: it may be any JSON value. */
function emptyBlock(block: unknown): unknown[] {
  const fields = fieldsOf(block)
  return fields['type'] === 'toolCall' ? [{ ...fields, arguments: {} }] : []
}
