import type { CompactionServices, PipelineBudget } from './services.ts'
import { createPace, runInTurns } from '../runtime/cooperative.ts'
import { planBranchSummary } from '../plan/plan-branch-summary.ts'
import { resolveReserveTokens, HISTORY_SHARE, limitTokens } from '../plan/settings.ts'
import { buildBranchPrompt } from '../prompt/build-prompts.ts'
import { serializeInSteps } from '../prompt/serialize-conversation.ts'
import { startRedaction, redactFiles } from '../redact/redaction.ts'
import type { BranchSummaryReply, BranchSummaryRequest } from '../schemas/branch-summary.ts'
import { readSessionInSteps } from '../session/read-session.ts'
import { summarizeChecked, tellPlan } from './write-drafts.ts'
import { appendFileTags } from '../files/file-tags.ts'
import { expectOfTask } from '../summary/checks/expectations.ts'
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
  const pace = createPace(budget.signal)
  const redaction = startRedaction(services.redact)
  const window = settings.contextWindow ?? summarizer.windowTokens()
  const budgetTokens = window - resolveReserveTokens(settings)
  const session = await runInTurns(readSessionInSteps(entries), pace)
  const plan = planBranchSummary(session, { fromId, targetId, budgetTokens })
  const messages = await runInTurns(redaction.inSteps(plan.messages), pace)
  const files = redactFiles(plan.files, redaction)
  const focus = redaction.text(customInstructions)
  const conversation = await runInTurns(serializeInSteps(messages), pace)
  const task = {
    kind: 'branch' as const,
    ...buildBranchPrompt({ templates, conversation, customInstructions: focus }),
    maxTokens: limitTokens(HISTORY_SHARE, settings, maxSummaryTokens),
    source: { form: 'messages' as const, messages },
  }
  await tellPlan([task], { summarizer, budget })
  // A caller's own instructions replace ours, and with them the form.
  const expected = await runInTurns(expectOfTask(task, { promptOverride: focus }), pace)
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
