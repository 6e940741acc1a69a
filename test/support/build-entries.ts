import { textOfTokens } from './text-of-tokens.ts'
import type { CompactionFields, Entry, FileLists } from '../../src/session/entry.ts'
import type {
  AssistantMessage,
  BashExecutionMessage,
  ContentBlock,
  Message,
  ToolCallBlock,
  ToolResultMessage,
} from '../../src/session/message.ts'

/**
 * Builds normalised entries for tests, without the session room:
 *
 *     const branch = buildEntries([user('hi'), assistant('', [call('c1', 'read', { path: 'a.ts' })]), result('c1', 'text')])
 *
 * makes one line of entries with the ids `e0`, `e1`, ... by position, each the child of the one before. `named('x', user())`
 * gives an entry an id of its own. A text of a given size is `tokens(100)`.
 */
export function buildEntries(drafts: readonly EntryDraft[]): BuiltEntry[] {
  const ids = drafts.map(({ id }, index) => id ?? `e${index}`)
  return drafts.map((draft, index) => {
    const place = { id: ids[index]!, parentId: ids[index - 1] ?? null }
    return {
      ...draft,
      ...place,
      index,
      range: { start: index, end: index },
      raw: { ...draft.raw, ...place, type: draft.type },
    }
  })
}

/** Builds entries for tests as pi writes them: the field `entries` of a body. */
export const buildRawEntries = (drafts: readonly EntryDraft[]): Record<string, unknown>[] =>
  buildEntries(drafts).map(({ raw }) => raw)

/** An entry with pi's form of it, as far as the draft has its fields. */
type BuiltEntry = Entry & { raw: Record<string, unknown> }

/** An entry that has no place yet. */
export type EntryDraft = Omit<BuiltEntry, 'index' | 'range' | 'id' | 'parentId'> & { id?: string }

/** Gives a draft its id. */
export const named = (id: string, draft: EntryDraft): EntryDraft => ({ ...draft, id })

/** A text of exactly so many tokens by our estimate. */
export const tokens = textOfTokens

export const user = (content: string | ContentBlock[] = 'Go on.'): EntryDraft =>
  message({ role: 'user', content: blocks(content) })

/** An assistant's message: its text first, then its calls; `extras` are `stopReason`, `usage` and the like. */
export const assistant = (
  content: string | ContentBlock[] = 'Done.',
  calls: readonly ToolCallBlock[] = [],
  extras: Partial<Omit<AssistantMessage, 'role' | 'content'>> = {},
): EntryDraft => message({ role: 'assistant', content: [...blocks(content), ...calls], ...extras })

export const call = (id: string, name = 'bash', args: unknown = {}): ToolCallBlock => ({
  type: 'toolCall',
  id,
  name,
  arguments: args,
})

export const result = (
  toolCallId: string,
  content: string | ContentBlock[] = 'ok',
  extras: Partial<ToolResultMessage> = {},
): EntryDraft =>
  message({
    role: 'toolResult',
    toolCallId,
    toolName: 'bash',
    content: blocks(content),
    isError: false,
    isPruned: false,
    ...extras,
  })

/** A command that the user ran by hand. */
export const bash = (command = 'ls', output = '', extras: Partial<BashExecutionMessage> = {}): EntryDraft =>
  message({ role: 'bashExecution', command, output, cancelled: false, ...extras })

/** A command that the user ran by hand and kept from the model: it contributes no message. */
export const excludedBash = (): EntryDraft => ({
  type: 'message',
  raw: { message: { role: 'bashExecution', command: 'pass', excludeFromContext: true } },
})

/** A `message` entry with the role `custom`: no turn begins with it. */
export const customRole = (content = 'A note.'): EntryDraft => message({ role: 'custom', content: blocks(content) })

/** A message of a role that this version does not know. */
export const otherRole = (content = 'A note.'): EntryDraft => message({ role: 'other', content: blocks(content) })

/** A `message` entry with the role `compactionSummary` or `branchSummary`, as `/context` of an agent may hold it. */
export const summaryRole = (
  role: 'branchSummary' | 'compactionSummary' = 'compactionSummary',
  summary = 'Earlier work.',
): EntryDraft => message({ role, summary })

/** A `custom_message` entry: a turn begins with it. */
export const customMessage = (content = 'A note.'): EntryDraft => ({
  type: 'custom_message',
  message: { role: 'custom', content: blocks(content) },
  raw: { content },
})

/** A `branch_summary` entry; without `files` an extension wrote it. */
export const branchSummary = (summary = 'Another branch.', files?: FileLists): EntryDraft => ({
  type: 'branch_summary',
  message: { role: 'branchSummary', summary },
  ...(files === undefined ? {} : { files }),
  raw: { summary, ...(files === undefined ? { fromExtension: true } : { details: files }) },
})

/** A `compaction` entry; without `files` an extension wrote it. */
export const compaction = ({
  files,
  ...fields
}: Partial<CompactionFields> & { files?: FileLists } = {}): EntryDraft => ({
  type: 'compaction',
  compaction: { summary: 'The story so far.', isOpaque: false, ...fields },
  ...(files === undefined ? {} : { files }),
  raw: {
    summary: 'The story so far.',
    ...fields,
    ...(files === undefined ? { fromExtension: true } : { details: files }),
  },
})

export const modelChange = (): EntryDraft => ({ type: 'model_change', raw: { model: 'provider/model' } })

export const label = (): EntryDraft => ({ type: 'label', raw: { label: 'here' } })

export const reset = (): EntryDraft => ({ type: 'reset_boundary', raw: {} })

const message = (value: Message): EntryDraft => ({ type: 'message', message: value, raw: { message: value } })

const blocks = (content: string | ContentBlock[]): ContentBlock[] => {
  if (typeof content !== 'string') return content
  return content === '' ? [] : [{ type: 'text', text: content }]
}
