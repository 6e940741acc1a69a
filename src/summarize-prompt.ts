import { answerPrompt } from './answer-prompt.ts'
import type { CompactionServices, PipelineBudget } from './pipeline.ts'
import { collectFiles } from './plan/collect-files.ts'
import { startRedaction } from './redact/start-redaction.ts'
import type { CompactionReply } from './schemas/compaction-reply.ts'
import type { PromptForm } from './schemas/compaction-request.ts'
import { findConversation } from './session/find-conversation.ts'
import { LABELS } from './session/transcript-labels.ts'
import type { Message } from './session/message.ts'
import { parseConversation } from './session/parse-conversation.ts'
import { deriveShortSummary } from './summary/derive-short-summary.ts'
import { reportOn } from './summary/report-on.ts'

/**
 * Answers a prompt that a client has written itself: the prompt form of `POST /compaction`. The model gets the
 * client's system prompt, prompt and limit and nothing else, but for secrets; sections and file lists are the client's
 * own affair, and what its instructions ask for is all that is expected of the answer.
 */
export async function summarizePrompt(
  request: PromptForm,
  services: CompactionServices,
  budget: PipelineBudget,
): Promise<CompactionReply> {
  const { maxSummaryTokens } = services
  const redaction = startRedaction(services.redact)
  const prompt = redaction.text(request.prompt)
  const task = {
    kind: 'prompt' as const,
    prompt,
    maxTokens: Math.min(request.maxTokens ?? maxSummaryTokens, maxSummaryTokens),
    source: { form: 'prompt' as const, prompt },
    ...(request.systemPrompt === undefined ? {} : { systemPrompt: redaction.text(request.systemPrompt) }),
  }
  const draft = await answerPrompt(task, services, budget)
  const summary = redaction.text(draft.text)
  return {
    summary,
    shortSummary: deriveShortSummary(summary),
    details: collectFiles({ messages: messagesIn(prompt) }),
    report: reportOn([draft], { startedAt: budget.startedAt, redactions: redaction.count() }),
  }
}

/** What can be read of the transcript; one in a syntax that is not ours yields no tool calls, and so no files. */
function messagesIn(prompt: string): Message[] {
  if (!prompt.includes(LABELS.toolCalls)) return []
  const { start, end } = findConversation(prompt) ?? { start: 0, end: prompt.length }
  return parseConversation(prompt.slice(start, end)).map(({ message }) => message)
}
