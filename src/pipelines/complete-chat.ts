import { Problem } from '../errors.ts'
import { sourceOf } from '../prompt/build-tasks.ts'
import { chunkClientPrompt } from '../prompt/chunk-prompt.ts'
import { createTask, promptTokensOf, type SummarySource } from '../prompt/task.ts'
import { writeTurns, type WrittenChat } from '../prompt/write-turns.ts'
import { startRedaction, type Redaction } from '../redact/redaction.ts'
import type { ChatCompletionRequest } from '../schemas/chat-completion.ts'
import type { Report } from '../schemas/compaction-reply.ts'
import type { Message } from '../session/message.ts'
import { readChat, type ChatMessage } from '../session/read-chat.ts'
import { reportOn } from '../summary/report.ts'
import { readAskedSections } from '../summary/sections.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import type { Material, Pipeline } from './pipeline.ts'

interface ChatMaterial extends Material {
  isStream: boolean
  includeUsage: boolean
  promptTokens: number
}

/** The checked answer to a chat. */
export interface CompletedChat {
  text: string
  report: Report
  /** Whether the client asked for a stream, and for the usage at its end. */
  isStream: boolean
  includeUsage: boolean
  /** The model server's counts, or estimates where it reports none: callers rely on them. */
  usage: { inputTokens: number; outputTokens: number }
}

/**
 * `POST /v1/chat/completions`: answers a chat in the format of OpenAI's API. Its messages go to the summarizer unchanged
 * and in order, except that secrets are replaced. A chat that is too long for a window is split into chunks, each with the
 * last user message.
 */
export const completeChat: Pipeline<ChatCompletionRequest, ChatMaterial> = {
  /** @throws Problem `invalid-request` when no message has text */
  prepare(request, { templates, redact, maxSummaryTokens }) {
    const redaction = startRedaction(redact)
    const messages = readChat(request.messages).map((message) => redactMessage(message, redaction))
    const chat = writeTurns(messages, templates)
    const { prompt, systemPrompt, turns } = chat
    if (turns.length === 0) throw noText()
    const history = {
      kind: 'prompt' as const,
      maxTokens: limitOf(request, maxSummaryTokens),
      source: chatSource(messages, chat),
    }
    return {
      material: {
        assignments: { history },
        guidance: {},
        asked: readAskedSections(prompt),
        promptTokens: promptTokensOf({ systemPrompt, prompt }),
        isStream: request.stream === true,
        includeUsage: request.stream_options?.include_usage === true,
        redactions: redaction.count(),
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

  finish({ promptTokens, redactions, isStream, includeUsage }, { history: draft }, { services, startedAt }) {
    if (draft === undefined) throw new Error('The task of a chat has a draft.')
    const redaction = startRedaction(services.redact, redactions)
    const text = redaction.text(draft.text)
    const { inputTokens, outputTokens } = draft.usage
    const usage = {
      inputTokens: inputTokens || promptTokens,
      outputTokens: outputTokens || estimateTextTokens(text),
    }
    const reply: CompletedChat = {
      text,
      usage,
      isStream,
      includeUsage,
      report: reportOn([draft], { startedAt, redactions: redaction.count() }),
    }
    return { reply, reported: reply }
  },
}

const limitOf = ({ max_completion_tokens, max_tokens }: ChatCompletionRequest, cap: number): number =>
  Math.min(max_completion_tokens ?? max_tokens ?? cap, cap)

const noText = (): Problem =>
  new Problem('invalid-request', 'No message contains text.', {
    faults: [{ pointer: '/messages', detail: 'must contain a user, assistant or tool message with text' }],
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
