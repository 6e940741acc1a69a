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

/** A chat's answer, checked. */
export interface CompletedChat {
  text: string
  report: Report
  /** As the model's server counted, else our estimates: callers reckon with them. */
  usage: { inputTokens: number; outputTokens: number }
}

const limitOf = ({ max_completion_tokens, max_tokens }: ChatCompletionRequest, cap: number): number =>
  Math.min(max_completion_tokens ?? max_tokens ?? cap, cap)

const sayNothing = (): Problem =>
  new Problem('invalid-request', 'The messages hold no text.', {
    faults: [{ pointer: '/messages', detail: 'must hold a message of the user, the assistant or a tool with text' }],
  })

/**
 * Answers a chat in the way of OpenAI's API: its messages go to the summarizer in their order as a client's own prompt
 * does, with secrets replaced. A chat that is too long for a window is told in parts, its last user message in each.
 * @throws Problem `invalid-request` where no message says anything; what the summarizer throws
 */
export async function completeChat(
  request: ChatCompletionRequest,
  services: CompactionServices,
  budget: PipelineBudget,
): Promise<CompletedChat> {
  const redaction = startRedaction(services.redact)
  const messages = readChat(request.messages).map((message) => redact(message, redaction))
  const chat = writeTurns(messages, services.templates)
  if (chat.turns.length === 0) throw sayNothing()
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

function redact(message: ChatMessage, redaction: Redaction): ChatMessage {
  if (message.role === 'system') return { role: 'system', text: redaction.text(message.text) }
  return redaction.messages([message])[0] ?? message
}

/** What is to be done, the last word of the user, is told to a model; it is no part of what is summarized. */
function sourceOf(messages: readonly ChatMessage[], { turns, prompt }: WrittenChat): SummarySource {
  if (turns.length === 1) return { form: 'prompt', prompt }
  const said = messages.filter((message): message is Message => message.role !== 'system')
  return { form: 'messages', messages: said.at(-1)?.role === 'user' ? said.slice(0, -1) : said }
}
