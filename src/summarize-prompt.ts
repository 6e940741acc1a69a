import type { CompactionServices, PipelineBudget } from './pipeline.ts'
import { collectFiles } from './plan/collect-files.ts'
import { divideClientPrompt } from './prompt/divide-client-prompt.ts'
import type { CompactionReply } from './schemas/compaction-reply.ts'
import type { PromptForm } from './schemas/compaction-request.ts'
import { findConversation } from './session/find-conversation.ts'
import type { Message } from './session/message.ts'
import { parseConversation } from './session/parse-conversation.ts'
import { deriveShortSummary } from './summary/derive-short-summary.ts'
import { reportOn } from './summary/report-on.ts'

/**
 * Answers a prompt that a client has written itself: the prompt form of `POST /compaction`. The model gets the
 * client's system prompt, prompt and limit and nothing else; sections and file lists are the client's own affair.
 */
export async function summarizePrompt(
  { prompt, systemPrompt, maxTokens }: PromptForm,
  { summarizer, templates, maxSummaryTokens }: CompactionServices,
  budget: PipelineBudget,
): Promise<CompactionReply> {
  const division = divideClientPrompt(prompt, templates)
  const task = {
    kind: 'prompt' as const,
    prompt,
    maxTokens: Math.min(maxTokens ?? maxSummaryTokens, maxSummaryTokens),
    source: { form: 'prompt' as const, prompt },
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(division === undefined ? {} : { division }),
  }
  const draft = await summarizer.summarize(task, budget)
  return {
    summary: draft.text,
    shortSummary: deriveShortSummary(draft.text),
    details: collectFiles({ messages: messagesIn(prompt) }),
    report: reportOn([draft], budget.startedAt),
  }
}

/** What can be read of the transcript; one in a syntax that is not ours yields no tool calls, and so no files. */
function messagesIn(prompt: string): Message[] {
  const { start, end } = findConversation(prompt) ?? { start: 0, end: prompt.length }
  return parseConversation(prompt.slice(start, end)).map(({ message }) => message)
}
