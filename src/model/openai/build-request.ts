import type { OpenAI } from 'openai'
import type { SummaryTask } from '../summarizer.ts'
import type { AskingTools } from './asking.ts'
import type { Change } from './decide-retry.ts'
import type { Dialect } from './dialect.ts'

type ChatRequest = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming

interface Question {
  model: string
  task: SummaryTask
  changes: ReadonlySet<Change>
  dialect: Dialect
}

/**
 * Builds a call's body: system prompt, prompt and limit, and nothing that was not asked for. Some servers refuse even
 * an empty list of tools (clients.md, "Lessons").
 */
export function buildRequest(
  { model, task, changes, dialect }: Question,
  {
    brevityDemand,
    maxSummaryTokens,
    reasoningEffort,
  }: Pick<AskingTools, 'brevityDemand' | 'maxSummaryTokens' | 'reasoningEffort'>,
): ChatRequest {
  const system = task.systemPrompt === undefined ? [] : [{ role: 'system' as const, content: task.systemPrompt }]
  const content = changes.has('brevity') ? `${task.prompt}\n\n${brevityDemand}` : task.prompt
  const request: ChatRequest = {
    model,
    messages: [...system, { role: 'user', content }],
    [dialect.limitName]: changes.has('cap-as-limit') ? maxSummaryTokens : task.maxTokens,
  }
  if (reasoningEffort === undefined || !dialect.sendsReasoningEffort) return request
  // The server knows which efforts it has; the SDK's list is only the newest of OpenAI's.
  return { ...request, reasoning_effort: reasoningEffort as NonNullable<ChatRequest['reasoning_effort']> }
}
