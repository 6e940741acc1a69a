import type { Fault } from '../errors.ts'
import type { RawEntry, RawCompactionEntry, RawMessageEntry } from '../schemas/entry.ts'
import type { Keep, ListReader, ListName } from './list-reader.ts'
import type { RawContent, RawContentBlock } from '../schemas/message.ts'
import { pick } from './trim-entry.ts'
import { isFileLine } from '../session/read-session.ts'
import { KNOWN_TOKENS } from '../session/entry.ts'

export interface SessionParts {
  fields: Record<string, unknown>
  lists: ReadonlyMap<ListName, ListReader>
  keep: Keep
  isLines?: boolean
}

/** What pairs results with their calls, and tells of what kind a message is. */
const KEPT = [
  'role',
  'excludeFromContext',
  'toolCallId',
  'tool_call_id',
  'tool_calls',
  'toolName',
  'command',
  'summary',
]

const emptyBlock = (block: RawContentBlock): RawContentBlock[] =>
  block.type === 'toolCall' ? [{ ...block, arguments: {} }] : []

/** A body whose lists were checked as they came; its other fields are not checked yet. */
export class SessionBody {
  /** The body as it was written, but for the lists, which stand empty in it. */
  fields: Record<string, unknown>
  /** Whether it came as lines: then its other fields stand in the query. */
  readonly isLines: boolean
  readonly #lists: ReadonlyMap<ListName, ListReader>
  readonly #keep: Keep

  constructor({ fields, lists, keep, isLines = false }: SessionParts) {
    this.fields = fields
    this.isLines = isLines
    this.#lists = lists
    this.#keep = keep
  }

  faults(): Fault[] {
    return [...this.#lists.values()].flatMap(({ faults }) => faults)
  }

  /** The body whole, once its other fields are known to be good. */
  join(): Record<string, unknown> {
    const lists = [...this.#lists].map(([name, { values }]) => [name, values] as const)
    const body: Record<string, unknown> = { ...this.fields, ...Object.fromEntries(lists) }
    if (this.#keep === 'considered' && this.#lists.has('entries'))
      dropCompacted(body['entries'] as RawEntry[], body['leafId'] as string | undefined)
    return body
  }
}

/**
 * Empties, in place, the messages that the plan will not read: those before what the newest compaction kept, and those
 * that are not on the branch. It waits until all of the body is there: a later entry may go back to an earlier one, and the
 * leaf may be named behind the entries. Tokens, calls and requests stay; so does everything where the tree is not plain.
 */
export function dropCompacted(entries: readonly RawEntry[], leafId: string | undefined): void {
  const path = findPath(entries, leafId)
  if (path === undefined) return
  const onPath = new Set(path)
  const keptFrom = findKept(path)
  for (const [index, entry] of path.entries()) if (index < keptFrom) empty(entry)
  for (const entry of entries) if (!onPath.has(entry)) empty(entry)
}

/** The branch from its root; undefined where ids are missing, come twice, or lead in a circle. */
function findPath(entries: readonly RawEntry[], leafId: string | undefined): RawEntry[] | undefined {
  const named = entries.filter((entry) => entry.id !== undefined && !isFileLine(entry))
  const byId = new Map(named.map((entry) => [entry.id, entry]))
  if (byId.size < named.length || named.every(({ parentId }) => parentId === undefined)) return undefined
  const path: RawEntry[] = []
  let entry = leafId === undefined ? named.at(-1) : byId.get(leafId)
  for (; entry !== undefined && path.length <= named.length; entry = byId.get(entry.parentId ?? undefined))
    path.push(entry)
  return path.length > named.length ? undefined : path.reverse()
}

/** Where on the branch begins what a plan considers (planning rule 3); 0 where that is not plain. */
function findKept(path: readonly RawEntry[]): number {
  const at = path.findLastIndex(({ type }) => type === 'compaction')
  const { firstKeptEntryId, preserveData } = (path[at] ?? {}) as Partial<RawCompactionEntry>
  if (preserveData?.['openaiRemoteCompaction'] !== undefined) return 0
  const kept = path.findIndex(({ id }) => id === (firstKeptEntryId ?? null))
  return kept < at ? Math.max(kept, 0) : 0
}

function empty(entry: RawEntry): void {
  const { message } = entry as RawMessageEntry
  if (entry.type !== 'message' || message.role === 'user') return
  const { content: whole } = message as { content?: RawContent | null }
  const content = Array.isArray(whole) ? whole.flatMap(emptyBlock) : []
  const emptied: Record<string | symbol, unknown> = { ...pick(message, KEPT), content }
  if (KNOWN_TOKENS in message) emptied[KNOWN_TOKENS] = message[KNOWN_TOKENS]
  Object.assign(entry, { message: emptied })
}
