import type { TProperties, TSchema } from '@sinclair/typebox'
import type { Fault } from '../errors.ts'
import type { RawEntry } from '../schemas/entry.ts'
import type { Ignored } from '../schemas/ignored.ts'
import type { RawContent, RawMessage } from '../schemas/message.ts'
import { fieldsOf, isObject } from '../session/entry.ts'
import { INSTRUCTION_ROLES } from '../session/read-message.ts'
import { meantName, nearName } from '../text/near-name.ts'

type NameGroup = Exclude<keyof Ignored, 'lines'>

/** A client misspells a few names; a body with more of them is something else. The first ones are counted. */
const MAX_NAMES = 50
const MAX_LINES = 100

/** Counts the parts of one request that are read nowhere. */
export class IgnoredParts {
  // Maps, since a client chooses the names: `__proto__` is one like any other.
  readonly #groups = new Map<NameGroup, Map<string, number>>()
  readonly #lines: number[] = []

  add(group: NameGroup, name: string, count = 1): void {
    const counts = this.#groups.get(group) ?? new Map<string, number>()
    this.#groups.set(group, counts)
    const before = counts.get(name)
    if (before !== undefined || counts.size < MAX_NAMES) counts.set(name, (before ?? 0) + count)
  }

  /** Adds the number of a line; the first line of a body is 1. */
  addLine(line: number): void {
    if (this.#lines.length < MAX_LINES) this.#lines.push(line)
  }

  /** Returns what was counted; undefined if nothing was. */
  found(): Ignored | undefined {
    const groups = [...this.#groups].map(([group, counts]) => [group, Object.fromEntries(counts)] as const)
    const hasLines = this.#lines.length > 0
    if (groups.length === 0 && !hasLines) return undefined
    return { ...Object.fromEntries(groups), ...(hasLines ? { lines: this.#lines } : {}) }
  }
}

/**
 * Counts the unknown fields of a body, and those in its groups of fields: `settings`, and `prune` of `/prune`.
 * @param properties the fields of the body's form
 */
export function countFields(body: unknown, properties: TProperties, ignored: IgnoredParts): void {
  countNames(body, properties, (name) => ignored.add('fields', name))
  for (const [name, schema] of Object.entries(properties)) {
    const group = groupOf(schema)
    // An object without known fields, such as `preserveData`, belongs to the client.
    if (Object.keys(group).length > 0 && isObject(body) && Object.hasOwn(body, name))
      countNames(body[name], group, (field) => ignored.add('settings', field))
  }
}

/** Returns the fields of an object schema; none of other schemas. */
export const groupOf = (schema: TSchema | undefined): TProperties =>
  (schema?.['properties'] as TProperties | undefined) ?? {}

function countNames(value: unknown, known: TProperties, onUnknown: (name: string) => void): void {
  if (isObject(value)) for (const name of Object.keys(value)) if (!Object.hasOwn(known, name)) onUnknown(name)
}

/**
 * Bookkeeping of pi, oh-my-pi and indusagi: none of it is part of the context of a model, so nothing is lost. pi's `leaf`
 * is not among them, because it selects a branch.
 */
const BOOKKEEPING = new Set<string>([
  // pi and indusagi
  ...['session', 'model_change', 'thinking_level_change', 'active_tools_change', 'custom', 'label', 'session_info'],
  // oh-my-pi
  ...['title', 'title_change', 'service_tier_change', 'mode_change', 'session_init', 'ttsr_injection'],
  ...['credential_pin', 'model_usage', 'archive', 'reset_boundary'],
])

/** Counts an entry of an unknown type, and what is unknown in its message. */
export function countEntry(raw: RawEntry, ignored: IgnoredParts): void {
  if (raw['excludeFromContext'] === true) return
  switch (raw.type) {
    case 'message':
      countMessage(raw.message, ignored)
      return
    case 'custom_message':
      countBlocks(raw.content, ignored)
      return
    case 'branch_summary':
    case 'compaction':
      return
    default:
      if (!BOOKKEEPING.has(raw.type)) ignored.add('entryTypes', raw.type)
  }
}

/** Counts a message of an unknown role, or its blocks of unknown types. */
export function countMessage(raw: RawMessage, ignored: IgnoredParts): void {
  if (raw['excludeFromContext'] === true) return
  switch (raw.role) {
    case 'user':
    case 'assistant':
    case 'toolResult':
    case 'tool':
    case 'custom':
    case 'hookMessage':
      countBlocks(raw.content, ignored)
      return
    case 'bashExecution':
    case 'branchSummary':
    case 'compactionSummary':
      return
    default:
      if (!INSTRUCTION_ROLES.has(raw.role)) ignored.add('roles', raw.role)
  }
}

/** The blocks that are read (session/read-message.ts), and an encrypted one of oh-my-pi. */
const KNOWN_BLOCKS = new Set<string>([
  ...['text', 'thinking', 'toolCall', 'image', 'image_url', 'input_image'],
  'redactedThinking',
])

function countBlocks(content: RawContent | null | undefined, ignored: IgnoredParts): void {
  if (!Array.isArray(content)) return
  for (const { type } of content) if (!KNOWN_BLOCKS.has(type)) ignored.add('blocks', type)
}

/**
 * Returns the faults of fields that are likely meant for others: a field of a group (`settings`) beside it, one in it whose name is
 * nearly that of another one, and a group under nearly its name. Without its field, a request gets a reply that looks right. Other
 * unknown fields are ignored.
 */
export function findMisnamed(body: unknown, properties: TProperties): Fault[] {
  const fields = fieldsOf(body)
  return [
    ...Object.entries(fields).flatMap(([name, value]) => findMisplaced(name, value, properties) ?? []),
    ...Object.keys(properties).flatMap((group) => findMisspelt(fields[group], group, properties)),
  ]
}

/** Returns the fault of a field of a request that belongs in a group, or is one under nearly its name. */
export function findMisplaced(name: string, value: unknown, properties: TProperties): Fault | undefined {
  if (Object.hasOwn(properties, name)) return undefined
  const groups = Object.keys(properties).filter((group) => Object.keys(groupOf(properties[group])).length > 0)
  const group = groups.find((one) => Object.hasOwn(groupOf(properties[one]), name))
  if (group !== undefined) return { pointer: `/${name}`, detail: `belongs in \`${group}\`` }
  const meant = isObject(value) ? nearName(name, groups) : undefined
  return meant === undefined ? undefined : misspelt(`/${escapeName(name)}`, meant)
}

function findMisspelt(value: unknown, group: string, properties: TProperties): Fault[] {
  const known = Object.keys(groupOf(properties[group]))
  return Object.keys(fieldsOf(value)).flatMap((name) => {
    const meant = meantName(name, known)
    return meant === undefined ? [] : [misspelt(`/${group}/${escapeName(name)}`, meant)]
  })
}

const misspelt = (pointer: string, meant: string): Fault => ({ pointer, detail: `is not known; use \`${meant}\`` })

/** Returns a name as a part of a JSON pointer (RFC 6901). */
const escapeName = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
