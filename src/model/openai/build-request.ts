import type { OpenAI } from 'openai'
import type { SummaryTask } from '../summarizer.ts'
import type { AskingTools } from './asking.ts'
import type { Change } from './decide-retry.ts'
import type { Dialect } from './dialect.ts'

type ChatRequest = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming
type ReasoningEffort = NonNullable<ChatRequest['reasoning_effort']>

export interface Question {
  model: string
  task: SummaryTask
  changes: ReadonlySet<Change>
  dialect: Dialect
}

/**
 * Builds a call's body: system prompt, prompt and limit, and nothing that was not asked for. Some servers refuse even
 * an empty list of tools (docs/clients.md, "Lessons").
 */
export function buildRequest(
  { model, task, changes, dialect }: Question,
  tools: Pick<AskingTools, 'brevityDemand' | 'maxSummaryTokens'>,
): ChatRequest {
  const { limitName, largestLimit = Infinity, reasoningEffort } = dialect
  const system = task.systemPrompt === undefined ? [] : [{ role: 'system' as const, content: task.systemPrompt }]
  const content = changes.has('brevity') ? `${task.prompt}\n\n${tools.brevityDemand}` : task.prompt
  const limit = changes.has('cap-as-limit') ? tools.maxSummaryTokens : task.maxTokens
  return {
    model,
    messages: [...system, { role: 'user', content }],
    [limitName]: Math.min(limit, largestLimit),
    // The server knows which efforts it has; the SDK's list is only the newest of OpenAI's.
    ...(reasoningEffort === undefined ? {} : { reasoning_effort: reasoningEffort as ReasoningEffort }),
  }
}
