import { collectFiles } from '../files/collect-files.ts'
import { chunkClientPrompt } from '../prompt/chunk-prompt.ts'
import type { SummaryTask } from '../prompt/task.ts'
import { startRedaction } from '../redact/redaction.ts'
import type { CompactionReply } from '../schemas/compaction-reply.ts'
import type { PromptForm } from '../schemas/compaction-request.ts'
import type { Message } from '../session/message.ts'
import { parseConversation } from '../session/parse-transcript.ts'
import { findConversation, LABELS } from '../session/transcript.ts'
import { checkText, type CheckedDraft } from '../summary/draft.ts'
import { reportOn } from '../summary/report.ts'
import { readAskedSections } from '../summary/sections.ts'
import { deriveShortSummary } from '../summary/short-summary.ts'
import { repairDraft } from './repair-draft.ts'
import type { CompactionServices, PipelineBudget } from './services.ts'
import { emitPlan } from './summary-job.ts'

/**
 * Answers a prompt that a client has written itself: the prompt form of `POST /compaction`. The model gets only the
 * client's system prompt, prompt and limit, with secrets replaced. The answer is checked only against what the client's
 * instructions ask for; sections and file lists are up to the client.
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

/** Returns the messages of the prompt's transcript; a foreign syntax yields no tool calls, and therefore no files. */
function messagesIn(prompt: string): Message[] {
  if (!prompt.includes(LABELS.toolCalls)) return []
  const { start, end } = findConversation(prompt) ?? { start: 0, end: prompt.length }
  return parseConversation(prompt.slice(start, end)).map(({ message }) => message)
}

/**
 * Returns the checked answer to a client's own prompt, with at most one repair. A prompt that is too long for a window
 * is split into chunks if it has conversation tags.
 * @throws Problem, or the reason of the budget's signal, as the summarizer does
 */
export async function answerPrompt(
  clientTask: SummaryTask,
  { summarizer, templates }: Pick<CompactionServices, 'summarizer' | 'templates'>,
  budget: PipelineBudget,
): Promise<CheckedDraft> {
  const chunking = chunkClientPrompt(clientTask.prompt, templates)
  const task = chunking === undefined ? clientTask : { ...clientTask, chunking }
  await emitPlan([task], { summarizer, budget })
  const asked = readAskedSections(task.prompt)
  const expected = asked.headings.length === 0 ? {} : { sections: asked }
  const draft = await summarizer.summarize(task, budget)
  const first = checkText(draft, expected)
  return repairDraft(first, { task, expected, read: checkText, summarizer, templates }, budget)
}
