import { Problem } from '../errors.ts'
import { promptTokensOf } from '../prompt/chunk-prompt.ts'
import type { SummarySource, SummaryTask } from '../prompt/task.ts'
import { writeTurns, type WrittenChat } from '../prompt/write-turns.ts'
import { startRedaction, type Redaction } from '../redact/redaction.ts'
import type { ChatCompletionRequest } from '../schemas/chat-completion.ts'
import type { Report } from '../schemas/compaction-reply.ts'
import type { Message } from '../session/message.ts'
import { readChat, type ChatMessage } from '../session/read-chat.ts'
import { reportOn } from '../summary/report.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import type { CompactionServices, PipelineBudget } from './services.ts'
import { answerPrompt } from './summarize-prompt.ts'

/** The checked answer to a chat. */
export interface CompletedChat {
  text: string
  report: Report
  /** The model server's counts, or estimates where it reports none: callers rely on them. */
  usage: { inputTokens: number; outputTokens: number }
}

/**
 * Answers a chat in the format of OpenAI's API: its messages go to the summarizer unchanged and in order, except that
 * secrets are replaced. A chat that is too long for a window is split into chunks, each with the last user message.
 * @throws Problem `invalid-request` when no message has text; what the summarizer throws
 */
export async function completeChat(
  request: ChatCompletionRequest,
  services: CompactionServices,
  budget: PipelineBudget,
): Promise<CompletedChat> {
  const redaction = startRedaction(services.redact)
  const messages = readChat(request.messages).map((message) => redact(message, redaction))
  const chat = writeTurns(messages, services.templates)
  if (chat.turns.length === 0) throw noText()
  const task: SummaryTask = {
    kind: 'prompt',
    prompt: chat.prompt,
    maxTokens: limitOf(request, services.maxSummaryTokens),
    source: sourceOf(messages, chat),
    ...(chat.turns.length > 1 ? { turns: chat.turns } : {}),
    ...(chat.systemPrompt === undefined ? {} : { systemPrompt: chat.systemPrompt }),
  }
  const draft = await answerPrompt(task, services, budget)
  const text = redaction.text(draft.text)
  const { inputTokens, outputTokens } = draft.usage
  return {
    text,
    usage: {
      inputTokens: inputTokens || promptTokensOf(task),
      outputTokens: outputTokens || estimateTextTokens(text),
    },
    report: reportOn([draft], { startedAt: budget.startedAt, redactions: redaction.count() }),
  }
}

const limitOf = ({ max_completion_tokens, max_tokens }: ChatCompletionRequest, cap: number): number =>
  Math.min(max_completion_tokens ?? max_tokens ?? cap, cap)

const noText = (): Problem =>
  new Problem('invalid-request', 'No message contains text.', {
    faults: [{ pointer: '/messages', detail: 'must contain a user, assistant or tool message with text' }],
  })

function redact(message: ChatMessage, redaction: Redaction): ChatMessage {
  if (message.role === 'system') return { role: 'system', text: redaction.text(message.text) }
  return redaction.messages([message])[0] ?? message
}

/** Returns what the embedded summarizer works on: without the user's last message, which is the instruction. */
function sourceOf(messages: readonly ChatMessage[], { turns, prompt }: WrittenChat): SummarySource {
  if (turns.length === 1) return { form: 'prompt', prompt }
  const conversation = messages.filter((message): message is Message => message.role !== 'system')
  return { form: 'messages', messages: conversation.at(-1)?.role === 'user' ? conversation.slice(0, -1) : conversation }
}
