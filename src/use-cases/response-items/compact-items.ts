import { withoutInstructions } from '../../agents/apis/read-chat.ts'
import { readItems } from '../../agents/apis/read-items.ts'
import { responsesReader } from '../../agents/apis/responses.ts'
import { takeSummary } from '../../agents/earlier-summary.ts'
import { encodeSummary, writeSummaryMessage } from '../../agents/own-summary.ts'
import { readSummaryMessage } from '../../agents/summary-message.ts'
import type { CompactionItem, ItemStyle, ResponsesUsage, UserItem } from '../../schemas/responses.ts'
import { fieldsOf } from '../../session/entry.ts'
import { sha256 } from '../../session/hash-id.ts'
import { textOf } from '../../session/message.ts'
import { estimateMessageTokens } from '../../tokens/estimate-tokens.ts'
import { compactChat, finishChatSummary, type ChatCompactionMaterial } from '../chat/compact-chat.ts'
import { responsesUsage, usageOf, type CompletedChat } from '../chat/completed-chat.ts'
import type { Pipeline } from '../shared/pipeline.ts'

/** Items of the Responses API to be compacted. */
interface ItemCompaction {
  items: readonly unknown[]
  style: ItemStyle
  /** Whether the request is one for a response that ends with a `compaction_trigger`: the reply has one item only. */
  isTrigger: boolean
  isStream: boolean
  maxTokens?: number | null | undefined
}

interface ItemMaterial extends ChatCompactionMaterial {
  style: ItemStyle
  isTrigger: boolean
  retained: readonly UserItem[]
}

/** The reply to a compaction of items, without its id and time. */
interface CompactedItems {
  output: (UserItem | CompactionItem)[]
  usage: ResponsesUsage
}

/**
 * `POST /v1/responses/compact`: summarizes items of the Responses API. The reply is the next input: the newest messages of the
 * user as they came, and the summary of everything.
 */
export const compactItems: Pipeline<ItemCompaction, ItemMaterial> = {
  /** @throws Problem `nothing-to-compact` */
  prepare({ items, style, isTrigger, isStream, maxTokens }, context) {
    const { messages, covered, summary: previousSummary } = takeSummary(readItems(items, responsesReader))
    const retained = isTrigger ? [] : retainMessages(items)
    const request = {
      list: 'input' as const,
      messages,
      covered,
      retained: withoutInstructions(readItems(retained, responsesReader)),
      previousSummary,
      instructions: '',
      isStream,
      includeUsage: false,
      maxTokens,
    }
    const { material, writeTasks } = compactChat.prepare(request, context)
    return { material: { ...material, style, isTrigger, retained }, writeTasks }
  },

  finish(material, drafts, context) {
    const { style, isTrigger, retained, isStream, includeUsage, inputTokens } = material
    const { summary, report } = finishChatSummary(material, drafts.history, context)
    const usage = usageOf(drafts.history, { promptTokens: inputTokens, text: summary })
    const item = compactionItem(summary)
    const completed: CompletedChat = { text: '', item, usage, isStream, includeUsage, report }
    const last = style === 'messages' ? userItem(writeSummaryMessage(summary), retained.length) : item
    const compacted: CompactedItems = { output: [...retained, last], usage: responsesUsage(usage) }
    return { reply: isTrigger ? completed : compacted, summary, reported: { report } }
  },
}

const compactionItem = (summary: string): CompactionItem => ({
  id: `cmp_${hashOf(summary)}`,
  type: 'compaction',
  encrypted_content: encodeSummary(summary),
})

const userItem = (text: string, index: number): UserItem => withId([{ type: 'input_text', text }], index)

/** A job has no random numbers: equal requests have equal replies. */
const hashOf = (text: string): string => sha256(text).slice(0, 32)

const withId = (content: UserItem['content'], index: number, id?: unknown): UserItem => ({
  id: typeof id === 'string' && id !== '' ? id : `msg_${hashOf(`${index} ${JSON.stringify(content)}`)}`,
  type: 'message',
  status: 'completed',
  role: 'user',
  content,
})

/** As many tokens of the user's messages as Codex 0.169 keeps when it compacts by itself. */
const RETAINED_TOKENS = 20_000

/** Returns the newest messages that the user has written, as they came, up to 20,000 tokens. */
function retainMessages(items: readonly unknown[]): UserItem[] {
  const retained: UserItem[] = []
  let left = RETAINED_TOKENS
  for (const [index, value] of [...items.entries()].reverse()) {
    const { id, role, content } = fieldsOf(value)
    const parts = role === 'user' ? inputParts(content) : []
    const [message] = parts.length === 0 ? [] : readItems([{ role: 'user', content: parts }], responsesReader)
    // The client's own texts have another role, and it writes them again.
    if (message?.role !== 'user' || readSummaryMessage(textOf(message.content)) !== undefined) continue
    left -= estimateMessageTokens(message)
    if (left < 0) break
    retained.unshift(withId(parts, index, id))
  }
  return retained
}

const INPUT_PARTS = ['input_text', 'input_image', 'input_file'] as const

/** Returns the parts of a content that a message of the user may have: clients refuse others (OpenAI Agents SDK 0.20). */
function inputParts(content: unknown): UserItem['content'] {
  if (typeof content === 'string') return [{ type: 'input_text', text: content }]
  const parts: unknown[] = Array.isArray(content) ? content : []
  return parts.filter((part): part is UserItem['content'][number] =>
    INPUT_PARTS.some((type) => fieldsOf(part)['type'] === type),
  )
}
