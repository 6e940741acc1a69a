import { nothingToCompact, type CompactionServices, type PipelineBudget } from './services.ts'
import { createYielder, runCooperatively } from '../runtime/cooperative.ts'
import { planHandoff } from '../plan/plan-handoff.ts'
import { buildHandoffPrompt } from '../prompt/build-prompts.ts'
import { HISTORY_SHARE, limitTokens } from '../plan/settings.ts'
import { serializeCooperatively } from '../prompt/serialize-conversation.ts'
import { redactGuidance } from '../prompt/redact-inputs.ts'
import { redactFiles, startRedaction } from '../redact/redaction.ts'
import type { HandoffReply, HandoffRequest } from '../schemas/handoff.ts'
import { readBranch } from '../session/read-session.ts'
import { summarizeChecked, emitPlan } from './write-drafts.ts'
import { assembleResult } from '../summary/assemble-result.ts'
import { expectationsOfTask } from '../summary/checks/expectations.ts'
import { extractEvidence } from '../summary/evidence-section.ts'

/**
 * Writes the document from which a new session goes on without the old one: `POST /handoff`.
 * @throws Problem `invalid-session`, `nothing-to-compact` for a session without a message, or what the summarizer throws
 */
export async function writeHandoff(
  request: HandoffRequest,
  services: CompactionServices,
  budget: PipelineBudget,
): Promise<HandoffReply> {
  const yieldIfDue = createYielder(budget.signal)
  const plan = planHandoff(await readBranch(request, yieldIfDue))
  if (plan.messages.length === 0 && plan.previousSummary === undefined) throw nothingToCompact()
  const redaction = startRedaction(services.redact)
  const messages = await runCooperatively(redaction.cooperatively(plan.messages), yieldIfDue)
  const { text, evidence } = extractEvidence(redaction.text(plan.previousSummary ?? ''))
  const previousSummary = text.trim() === '' ? undefined : text
  const guidance = { ...redactGuidance(request, redaction), previousSummary }
  const maxTokens = limitTokens(HISTORY_SHARE, request.settings ?? {}, services.maxSummaryTokens)
  const task = {
    kind: 'handoff' as const,
    ...buildHandoffPrompt({
      ...guidance,
      templates: services.templates,
      conversation: await runCooperatively(serializeCooperatively(messages), yieldIfDue),
    }),
    maxTokens,
    source: { form: 'messages' as const, messages, ...(previousSummary === undefined ? {} : { previousSummary }) },
  }
  await emitPlan([task], { ...services, budget })
  const expected = await runCooperatively(
    expectationsOfTask(task, { ...guidance, promptOverride: undefined }),
    yieldIfDue,
  )
  const drafts = await summarizeChecked({ history: { task, expected } }, services, budget)
  const inputs = { history: messages, turnPrefix: [], kept: [], previousSummary, evidence, limitTokens: maxTokens }
  const files = redactFiles(plan.files, redaction)
  const parts = { inputs, files, drafts, redaction, startedAt: budget.startedAt }
  const result = await runCooperatively(assembleResult(parts), createYielder())
  return { document: result.summary, details: files, report: result.report }
}
