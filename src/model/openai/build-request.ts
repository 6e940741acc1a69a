import type { OpenAI } from 'openai'
import type { ChatTurn, SummaryTask } from '../summarizer.ts'
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
 * Builds a call's body: system prompt, prompt (or the chat it was) and limit, and nothing that was not asked for. Some
 * servers refuse even an empty list of tools (docs/clients.md, "Lessons").
 */
export function buildRequest(
  { model, task, changes, dialect }: Question,
  tools: Pick<AskingTools, 'brevityDemand' | 'maxSummaryTokens'>,
): ChatRequest {
  const { limitName, largestLimit = Infinity, reasoningEffort } = dialect
  const system = task.systemPrompt === undefined ? [] : [{ role: 'system' as const, content: task.systemPrompt }]
  const turns = task.turns ?? [{ role: 'user' as const, content: task.prompt }]
  const told = changes.has('brevity') ? addDemand(turns, tools.brevityDemand) : turns
  const limit = changes.has('cap-as-limit') ? tools.maxSummaryTokens : task.maxTokens
  return {
    model,
    messages: [...system, ...told],
    [limitName]: Math.min(limit, largestLimit),
    // The server knows which efforts it has; the SDK's list is only the newest of OpenAI's.
    ...(reasoningEffort === undefined ? {} : { reasoning_effort: reasoningEffort as ReasoningEffort }),
  }
}

/** The user's last word takes it, since some servers want user and assistant to take turns. */
function addDemand(turns: readonly ChatTurn[], demand: string): ChatTurn[] {
  const last = turns.at(-1)
  if (last?.role !== 'user') return [...turns, { role: 'user', content: demand }]
  return [...turns.slice(0, -1), { role: 'user', content: `${last.content}\n\n${demand}` }]
}
