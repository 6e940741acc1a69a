import type { NewSessionFormat } from '../../src/schemas/reply-form.ts'
import { fieldsOf, isObject } from '../../src/session/entry.ts'

type Values = Record<string, unknown>

/**
 * Returns a written session as it is in a file that the agent has worked on: before its compaction stand the messages that
 * this compaction covers, and the newest prompt was asked before in other words, where the format has branches.
 * @param past another session of the format, of which the messages after its summary are taken
 */
export function addPast(id: NewSessionFormat, body: string, past: string): string {
  switch (id) {
    case 'claude-code':
      return asLines(addBranch(addLines(linesOf(body), linesOf(past), [0, 2]), ['uuid', 'parentUuid']))
    case 'qwen':
      return asLines(addBranch(addLines(linesOf(body), linesOf(past), [0, 1]), ['uuid', 'parentUuid']))
    case 'pi':
      return asLines(addBranch(addLines(linesOf(body), linesOf(past), [1, 1]), ['id', 'parentId']))
    case 'codex':
      return asLines([...addLines(linesOf(body), linesOf(past), [1, 1]), ...ROLLED_BACK])
    case 'gemini':
      return asLines(addRecords(linesOf(body), linesOf(past)))
    case 'opencode':
      return JSON.stringify(
        revert(addElements(JSON.parse(body) as Values, JSON.parse(past) as Values, ['messages', 2])),
      )
    case 'atif':
      return JSON.stringify(addElements(JSON.parse(body) as Values, JSON.parse(past) as Values, ['steps', 1]))
    default:
      return body
  }
}

/** A turn of Codex that the user has taken back. */
const ROLLED_BACK = [
  { type: 'response_item', payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'No' }] } },
  { type: 'event_msg', payload: { type: 'thread_rolled_back', num_turns: 1 } },
]

/** Adds a message to an export of opencode that the user has taken back. */
function revert(file: Values): Values {
  const info = { id: 'msg_taken_back', role: 'user' }
  const messages = [...listOf(file, 'messages'), { info, parts: [{ type: 'text', text: 'No' }] }]
  return { ...file, info: { ...fieldsOf(file['info']), revert: { messageID: info.id } }, messages }
}

const linesOf = (body: string): Values[] =>
  body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Values)

const asLines = (values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')

/** @param before how many lines come before the compaction, and how many lines it has */
function addLines(lines: Values[], past: readonly Values[], [before, compaction]: [number, number]): Values[] {
  const covered = past.slice(before + compaction).map(rename)
  const [first, last] = [covered[0], covered.at(-1)]
  const boundary = lines[before] ?? {}
  for (const [id, parent] of [
    ['uuid', 'parentUuid'],
    ['id', 'parentId'],
  ] as const) {
    if (first !== undefined && parent in first) first[parent] = null
    if (parent in boundary)
      boundary[boundary['subtype'] === 'compact_boundary' ? 'logicalParentUuid' : parent] = last?.[id]
  }
  return [...lines.slice(0, before), ...covered, ...lines.slice(before)]
}

/** Gives the nodes of a tree other ids than those of the session into which they are added. */
function rename(value: unknown): Values {
  const renamed = { ...fieldsOf(value) }
  for (const key of ['uuid', 'parentUuid', 'id', 'parentId'])
    if (typeof renamed[key] === 'string') renamed[key] = `past-${renamed[key]}`
  return renamed
}

/** Adds a turn that the user has taken back. */
function addBranch(lines: Values[], [id, parent]: [string, string]): Values[] {
  const at = lines.findLastIndex(({ message }) => isPrompt(fieldsOf(message)))
  const prompt = lines[at]
  const text = 'Not like this'
  const parts = 'parts' in fieldsOf(prompt?.['message']) ? { parts: [{ text }] } : { content: [{ type: 'text', text }] }
  const other = { ...prompt, [id]: 'taken-back', message: { role: 'user', ...parts } }
  const next = { ...other, [id]: 'taken-back-too', [parent]: 'taken-back' }
  return [...lines.slice(0, at), other, next, ...lines.slice(at)]
}

function isPrompt({ role, content, parts }: Readonly<Values>): boolean {
  const list = Array.isArray(content) ? content : Array.isArray(parts) ? parts : [{ text: content }]
  return role === 'user' && list.some((part) => isObject(part) && typeof part['text'] === 'string')
}

const listOf = (value: unknown, name: string): unknown[] => fieldsOf(value)[name] as unknown[]

function addRecords([header = {}, change = {}]: Values[], [, past]: Values[]): object[] {
  const covered = listOf(past?.['$set'], 'messages').slice(2).map(rename)
  const takenBack = { id: 'taken-back', timestamp: 't', type: 'user', content: [{ text: 'Not like this' }] }
  return [header, ...covered, change, takenBack, { $rewindTo: 'taken-back' }]
}

/** @param list the name of the list, and how many of its elements belong to the compaction */
function addElements(file: Values, past: Values, [list, compaction]: [string, number]): Values {
  const covered = listOf(past, list)
    .slice(compaction)
    .map((value) => ({ ...fieldsOf(value), info: rename(fieldsOf(value)['info']), step_id: undefined }))
  return { ...file, [list]: [...covered, ...listOf(file, list)] }
}
