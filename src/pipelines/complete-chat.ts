import { Problem } from '../errors.ts'
import type { Draft } from '../model/summarizer.ts'
import { sourceOf } from '../prompt/build-tasks.ts'
import { chunkClientPrompt } from '../prompt/chunk-prompt.ts'
import { createTask, promptTokensOf, type SummarySource } from '../prompt/task.ts'
import { writeTurns, type WrittenChat } from '../prompt/write-turns.ts'
import { resumeRedaction, startRedaction, type Redaction } from '../redact/redaction.ts'
import type { Report } from '../schemas/compaction-reply.ts'
import type { CompactionItem } from '../schemas/responses.ts'
import type { Message } from '../session/message.ts'
import type { ChatMessage } from '../session/read-chat.ts'
import { reportOn } from '../summary/report.ts'
import { readAskedSections } from '../summary/sections.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import type { Material, Pipeline } from './pipeline.ts'

/** A chat, and how its client wants the reply. */
export interface ChatRequest {
  /** The field of the request that has the messages. */
  list: 'messages' | 'input'
  messages: readonly ChatMessage[]
  maxTokens?: number | null | undefined
  isStream: boolean
  includeUsage: boolean
}

interface ChatMaterial extends Material {
  isStream: boolean
  includeUsage: boolean
  promptTokens: number
}

/** The checked answer to a chat. */
export interface CompletedChat {
  text: string
  /** Takes the place of the text, if the client has asked for an item of the Responses API. */
  item?: CompactionItem
  report: Report
  /** Whether the client asked for a stream, and for the usage at its end. */
  isStream: boolean
  includeUsage: boolean
  /** The model server's counts, or estimates where it reports none: callers rely on them. */
  usage: { inputTokens: number; outputTokens: number }
}

/**
 * Answers a chat that asks for anything else than its compaction. Its messages go to the summarizer unchanged and in order,
 * except that secrets are replaced. A chat that is too long for a window is split into chunks, each with the last user message.
 */
export const completeChat: Pipeline<ChatRequest, ChatMaterial> = {
  /** @throws Problem `invalid-request` when no message has text */
  prepare({ list, messages: original, maxTokens, isStream, includeUsage }, { templates, redact, maxSummaryTokens }) {
    const redaction = startRedaction(redact, {
      messages: original.filter((message) => message.role !== 'system'),
      texts: original.map((message) => (message.role === 'system' ? message.text : undefined)),
    })
    const messages = original.map((message) => redactMessage(message, redaction))
    const chat = writeTurns(messages, templates)
    const { prompt, systemPrompt, turns } = chat
    if (turns.length === 0) throw noText(list)
    const history = {
      kind: 'prompt' as const,
      maxTokens: Math.min(maxTokens ?? maxSummaryTokens, maxSummaryTokens),
      source: chatSource(messages, chat),
    }
    return {
      material: {
        assignments: { history },
        guidance: {},
        asked: readAskedSections(prompt),
        promptTokens: promptTokensOf({ systemPrompt, prompt }),
        isStream,
        includeUsage,
        redaction: redaction.state(),
      },
      writeTasks: () => ({
        history: createTask({
          ...history,
          systemPrompt,
          ...(turns.length > 1 ? { turns } : {}),
          ...chunkClientPrompt(prompt, templates),
        }),
      }),
    }
  },

  finish(
    { promptTokens, redaction: found, isStream, includeUsage },
    { history: draft },
    { services, startedAt, notes },
  ) {
    if (draft === undefined) throw new Error('The task of a chat has a draft.')
    const redaction = resumeRedaction(services.redact, found)
    const text = redaction.text(draft.text)
    const reply: CompletedChat = {
      text,
      usage: usageOf(draft, { promptTokens, text }),
      isStream,
      includeUsage,
      report: reportOn([draft], { startedAt, redactions: redaction.count(), notes }),
    }
    return { reply, summary: text, reported: reply }
  },
}

/** Returns the tokens of an answer: the model server's counts, or estimates where it reports none. */
export function usageOf(
  draft: Draft | undefined,
  { promptTokens, text }: { promptTokens: number; text: string },
): CompletedChat['usage'] {
  return {
    inputTokens: draft?.usage.inputTokens || promptTokens,
    outputTokens: draft?.usage.outputTokens || estimateTextTokens(text),
  }
}

const noText = (list: string): Problem =>
  new Problem('invalid-request', `No message contains text. Send the conversation in \`${list}\`.`, {
    faults: [{ pointer: `/${list}`, detail: 'must contain a user, assistant or tool message with text' }],
  })

function redactMessage(message: ChatMessage, redaction: Redaction): ChatMessage {
  if (message.role === 'system') return { role: 'system', text: redaction.text(message.text) }
  return redaction.messages([message])[0] ?? message
}

/** Returns what the embedded summarizer works on: without the user's last message, which is the instruction. */
function chatSource(messages: readonly ChatMessage[], { turns, prompt }: WrittenChat): SummarySource {
  if (turns.length === 1) return { form: 'prompt', prompt }
  const conversation = messages.filter((message): message is Message => message.role !== 'system')
  return sourceOf(conversation.at(-1)?.role === 'user' ? conversation.slice(0, -1) : conversation)
}
