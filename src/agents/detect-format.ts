import { FORMAT_IDS } from '../schemas/format-ids.ts'
import type { FormatId } from '../schemas/format.ts'
import { fieldsOf, isObject } from '../session/entry.ts'
import { AGENTS } from './agents.ts'
import type { Sample } from './reader.ts'

/** Fields with the list of a document that is an object. */
const LISTS = [
  ...(['messages', 'entries', 'input', 'output', 'contents', 'history', 'trajectory', 'steps'] as const),
  ...(['conversation', 'events'] as const),
]

/** The types of entries with which sessions of pi and oh-my-pi begin, and those with messages. */
const PI_TYPES = new Set<unknown>([
  ...['session', 'title', 'session_init', 'session_info', 'model_change', 'thinking_level_change', 'label', 'custom'],
  ...['message', 'custom_message', 'branch_summary', 'compaction', 'reset_boundary'],
])

/** A document as its values and its other fields. */
export function openDocument(document: unknown): {
  fields: Readonly<Record<string, unknown>>
  values: readonly unknown[]
  /** The field with the values. */
  listName?: string
} {
  if (Array.isArray(document)) return { fields: {}, values: document as unknown[] }
  if (!isObject(document)) return { fields: {}, values: [] }
  const { input, ...others } = document
  if (typeof input === 'string')
    return { fields: others, values: [{ role: 'user', content: [{ type: 'input_text', text: input }] }] }
  const lists = LISTS.filter((name) => Array.isArray(document[name]))
  const list = lists.find((name) => (document[name] as unknown[]).length > 0) ?? lists[0]
  if (list === undefined) return { fields: document, values: [document] }
  const { [list]: values, ...fields } = document
  return { fields, values: values as unknown[], listName: list }
}

/** Whether a value is an entry of pi beyond doubt. Items of OpenAI's responses have the types `message` and `compaction` too. */
const isPiEntry = (value: unknown): boolean =>
  isObject(value) &&
  ((value['type'] === 'message' && isObject(value['message'])) ||
    (value['type'] === 'compaction' && typeof value['firstKeptEntryId'] === 'string'))

const PI_ROLES = new Set<unknown>(['toolResult', 'bashExecution', 'compactionSummary', 'branchSummary'])

/** Whether a value is a message of pi beyond doubt. Its messages may have blocks of Anthropic's API. */
function isPiMessage(value: unknown): boolean {
  const { role, content } = fieldsOf(value)
  return (
    PI_ROLES.has(role) || (Array.isArray(content) && content.some((block) => fieldsOf(block)['type'] === 'toolCall'))
  )
}

/**
 * Returns the format of a document. What is certainly pi's comes first. What may be one of the service's own forms is tried
 * last: entries of pi have one of its types, chat messages a `role`.
 */
export function detectFormat(sample: Sample): FormatId | undefined {
  if (sample.values.some(isPiEntry)) return 'pi'
  if (sample.values.some(isPiMessage)) return 'chat'
  const foreign = Object.values(AGENTS).find(({ reader }) => reader?.detect(sample) === true)
  if (foreign !== undefined) return foreign.id
  if (sample.values.some((value) => isObject(value) && PI_TYPES.has(value['type']))) return 'pi'
  return sample.values.some((value) => isObject(value) && typeof value['role'] === 'string') ? 'chat' : undefined
}

/** Returns the format of a text that is not JSON. */
export const detectTextFormat = (head: string): FormatId | undefined =>
  Object.values(AGENTS).find(({ reader }) => reader?.detectText?.(head) === true)?.id

/** Returns whether a text is the id of a format. */
export const isFormatId = (id: unknown): id is FormatId => FORMAT_IDS.some((known) => known === id)
