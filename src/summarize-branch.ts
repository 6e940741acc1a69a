import type { CompactionServices, PipelineBudget } from './pipeline.ts'
import { planBranchSummary } from './plan/plan-branch-summary.ts'
import { resolveReserveTokens } from './plan/settings.ts'
import { buildBranchPrompt } from './prompt/build-prompts.ts'
import { HISTORY_SHARE, limitTokens } from './prompt/limit-tokens.ts'
import { serializeConversation } from './prompt/serialize-conversation.ts'
import type { BranchSummaryReply, BranchSummaryRequest } from './schemas/branch-summary.ts'
import { readSession } from './session/read-session.ts'
import { appendFileTags } from './summary/append-file-tags.ts'
import { readDraft } from './summary/read-draft.ts'
import { reportOn } from './summary/report-on.ts'

/**
 * Summarizes the branch that is left when an agent moves to another leaf: `POST /branch-summary`.
 * @throws Problem `invalid-session`, `nothing-to-compact`, or what the summarizer throws
 */
export async function summarizeBranch(
  { entries, fromId, targetId, customInstructions = '', settings = {} }: BranchSummaryRequest,
  { summarizer, templates, maxSummaryTokens }: CompactionServices,
  budget: PipelineBudget,
): Promise<BranchSummaryReply> {
  const window = settings.contextWindow ?? summarizer.windowTokens()
  const budgetTokens = window - resolveReserveTokens(settings)
  const plan = planBranchSummary(readSession(entries), { fromId, targetId, budgetTokens })
  const conversation = serializeConversation(plan.messages)
  const task = {
    kind: 'branch' as const,
    ...buildBranchPrompt({ templates, conversation, customInstructions }),
    maxTokens: limitTokens(HISTORY_SHARE, settings, maxSummaryTokens),
    source: { form: 'messages' as const, messages: plan.messages },
  }
  const draft = await summarizer.summarize(task, budget)
  return {
    summary: appendFileTags(`${templates['branch-preamble']}\n\n${readDraft(draft).text}`, plan.files),
    details: plan.files,
    commonAncestorId: plan.commonAncestorId,
    entryIds: plan.entryIds,
    report: reportOn([draft], budget.startedAt),
  }
}
