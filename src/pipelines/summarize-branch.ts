import type { CompactionServices, PipelineBudget } from './services.ts'
import { createYielder, runCooperatively } from '../runtime/cooperative.ts'
import { planBranchSummary } from '../plan/plan-branch-summary.ts'
import { resolveReserveTokens, HISTORY_SHARE, limitTokens } from '../plan/settings.ts'
import { buildBranchPrompt } from '../prompt/build-prompts.ts'
import { serializeCooperatively } from '../prompt/serialize-conversation.ts'
import { startRedaction, redactFiles } from '../redact/redaction.ts'
import type { BranchSummaryReply, BranchSummaryRequest } from '../schemas/branch-summary.ts'
import { readSessionCooperatively } from '../session/read-session.ts'
import { summarizeChecked, emitPlan } from './write-drafts.ts'
import { appendFileTags } from '../files/file-tags.ts'
import { expectationsOfTask } from '../summary/checks/expectations.ts'
import { reportOn } from '../summary/report.ts'

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
  const yieldIfDue = createYielder(budget.signal)
  const redaction = startRedaction(services.redact)
  const window = settings.contextWindow ?? summarizer.windowTokens()
  const budgetTokens = window - resolveReserveTokens(settings)
  const session = await runCooperatively(readSessionCooperatively(entries), yieldIfDue)
  const plan = planBranchSummary(session, { fromId, targetId, budgetTokens })
  const messages = await runCooperatively(redaction.cooperatively(plan.messages), yieldIfDue)
  const files = redactFiles(plan.files, redaction)
  const focus = redaction.text(customInstructions)
  const conversation = await runCooperatively(serializeCooperatively(messages), yieldIfDue)
  const task = {
    kind: 'branch' as const,
    ...buildBranchPrompt({ templates, conversation, customInstructions: focus }),
    maxTokens: limitTokens(HISTORY_SHARE, settings, maxSummaryTokens),
    source: { form: 'messages' as const, messages },
  }
  await emitPlan([task], { summarizer, budget })
  // A caller's own instructions replace ours, and with them the form.
  const expected = await runCooperatively(expectationsOfTask(task, { promptOverride: focus }), yieldIfDue)
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
