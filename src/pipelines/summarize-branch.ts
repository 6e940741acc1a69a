import { appendFileTags } from '../files/file-tags.ts'
import { planBranchSummary } from '../plan/plan-branch-summary.ts'
import { resolveReserveTokens } from '../plan/settings.ts'
import { buildBranchPrompt } from '../prompt/build-prompts.ts'
import { serializeConversation } from '../prompt/serialize-conversation.ts'
import { redactFiles, startRedaction } from '../redact/redaction.ts'
import type { BranchSummaryReply, BranchSummaryRequest } from '../schemas/branch-summary.ts'
import type { ReadRequest } from '../ingest/read-request.ts'
import { reportOn } from '../summary/report.ts'
import type { CompactionServices, PipelineBudget } from './services.ts'
import { summaryLimitTokens, writeDrafts } from './summary-job.ts'

/**
 * Summarizes the branch that an agent leaves when it moves to another leaf: `POST /branch-summary`.
 * @throws Problem `invalid-session`, `nothing-to-compact`, or what the summarizer throws
 */
export async function summarizeBranch(
  { fields, session }: ReadRequest<BranchSummaryRequest>,
  services: CompactionServices,
  budget: PipelineBudget,
): Promise<BranchSummaryReply> {
  const { fromId, targetId, customInstructions = '', settings = {} } = fields
  const window = settings.contextWindow ?? services.summarizer.windowTokens()
  const budgetTokens = window - resolveReserveTokens(settings)
  const plan = planBranchSummary(session, { fromId, targetId, budgetTokens })
  const redaction = startRedaction(services.redact)
  const messages = redaction.messages(plan.messages)
  const conversation = serializeConversation(messages)
  const { templates } = services
  const focus = redaction.text(customInstructions)
  const task = {
    kind: 'branch' as const,
    ...buildBranchPrompt({ templates, conversation, customInstructions: focus }),
    maxTokens: summaryLimitTokens(settings, services),
    source: { form: 'messages' as const, messages },
  }
  // The caller's own instructions replace ours, including our sections.
  const guidance = { promptOverride: focus }
  const { history: draft } = await writeDrafts({ tasks: { history: task }, guidance }, services, budget)
  if (draft === undefined) throw new Error('A task has no draft.')
  const files = redactFiles(plan.files, redaction)
  const summary = appendFileTags(`${templates['branch-preamble']}\n\n${draft.text}`, files)
  return {
    summary: redaction.text(summary),
    details: files,
    commonAncestorId: plan.commonAncestorId,
    entryIds: plan.entryIds,
    report: reportOn([draft], { startedAt: budget.startedAt, redactions: redaction.count() }),
  }
}
