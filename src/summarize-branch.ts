import type { CompactionServices, PipelineBudget } from './pipeline.ts'
import { planBranchSummary } from './plan/plan-branch-summary.ts'
import { resolveReserveTokens } from './plan/settings.ts'
import { buildBranchPrompt } from './prompt/build-prompts.ts'
import { HISTORY_SHARE, limitTokens } from './prompt/limit-tokens.ts'
import { measureTasks } from './prompt/measure-tasks.ts'
import { serializeConversation } from './prompt/serialize-conversation.ts'
import { startRedaction } from './redact/start-redaction.ts'
import { redactFiles } from './redact/redact-plan.ts'
import type { BranchSummaryReply, BranchSummaryRequest } from './schemas/branch-summary.ts'
import { readSession } from './session/read-session.ts'
import { summarizeChecked } from './summarize-checked.ts'
import { appendFileTags } from './summary/append-file-tags.ts'
import { expectOfTask } from './summary/checks/expect-of-tasks.ts'
import { reportOn } from './summary/report-on.ts'

/**
 * Summarizes the branch that is left when an agent moves to another leaf: `POST /branch-summary`.
 * @throws Problem `invalid-session`, `nothing-to-compact`, or what the summarizer throws
 */
export async function summarizeBranch(
  { entries, fromId, targetId, customInstructions = '', settings = {} }: BranchSummaryRequest,
  services: CompactionServices,
  budget: PipelineBudget,
): Promise<BranchSummaryReply> {
  const { summarizer, templates, maxSummaryTokens } = services
  const redaction = startRedaction(services.redact)
  const window = settings.contextWindow ?? summarizer.windowTokens()
  const budgetTokens = window - resolveReserveTokens(settings)
  const plan = planBranchSummary(readSession(entries), { fromId, targetId, budgetTokens })
  const messages = redaction.messages(plan.messages)
  const files = redactFiles(plan.files, redaction)
  const focus = redaction.text(customInstructions)
  const task = {
    kind: 'branch' as const,
    ...buildBranchPrompt({ templates, conversation: serializeConversation(messages), customInstructions: focus }),
    maxTokens: limitTokens(HISTORY_SHARE, settings, maxSummaryTokens),
    source: { form: 'messages' as const, messages },
  }
  budget.onPlan?.(measureTasks([task], summarizer))
  // A caller's own instructions replace ours, and with them the form.
  const expected = expectOfTask(task, { promptOverride: focus })
  const { history: draft } = await summarizeChecked({ history: { task, expected } }, services, budget)
  if (draft === undefined) throw new Error('A task that was asked for has a draft.')
  const summary = appendFileTags(`${templates['branch-preamble']}\n\n${draft.text}`, files)
  return {
    summary: redaction.text(summary),
    details: files,
    commonAncestorId: plan.commonAncestorId,
    entryIds: plan.entryIds,
    report: reportOn([draft], { startedAt: budget.startedAt, redactions: redaction.count() }),
  }
}
