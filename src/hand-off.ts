import { nothingToCompact, type CompactionServices, type PipelineBudget } from './pipeline.ts'
import { planHandoff } from './plan/plan-handoff.ts'
import { buildHandoffPrompt } from './prompt/build-prompts.ts'
import { HISTORY_SHARE, limitTokens } from './prompt/limit-tokens.ts'
import { serializeConversation } from './prompt/serialize-conversation.ts'
import type { HandoffReply, HandoffRequest } from './schemas/handoff.ts'
import { readBranch } from './session/read-branch.ts'
import { appendFileTags } from './summary/append-file-tags.ts'
import { readDraft } from './summary/read-draft.ts'
import { reportOn } from './summary/report-on.ts'

/**
 * Writes the document from which a new session goes on without the old one: `POST /handoff`.
 * @throws Problem `invalid-session`, `nothing-to-compact` for a session without a message, or what the summarizer throws
 */
export async function handOff(
  request: HandoffRequest,
  { summarizer, templates, maxSummaryTokens }: CompactionServices,
  budget: PipelineBudget,
): Promise<HandoffReply> {
  const plan = planHandoff(readBranch(request))
  if (plan.messages.length === 0 && plan.previousSummary === undefined) throw nothingToCompact()
  const { files, ...source } = plan
  const conversation = serializeConversation(plan.messages)
  const task = {
    kind: 'handoff' as const,
    ...buildHandoffPrompt({ ...request, templates, conversation, previousSummary: plan.previousSummary }),
    maxTokens: limitTokens(HISTORY_SHARE, request.settings ?? {}, maxSummaryTokens),
    source: { form: 'messages' as const, ...source },
  }
  const draft = await summarizer.summarize(task, budget)
  return {
    document: appendFileTags(readDraft(draft).text, files),
    details: files,
    report: reportOn([draft], budget.startedAt),
  }
}
