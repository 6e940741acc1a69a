import { nothingToCompact, type CompactionServices, type PipelineBudget } from './services.ts'
import { createPace, runInTurns } from '../runtime/cooperative.ts'
import { planHandoff } from '../plan/plan-handoff.ts'
import { buildHandoffPrompt } from '../prompt/build-prompts.ts'
import { HISTORY_SHARE, limitTokens } from '../plan/settings.ts'
import { serializeInSteps } from '../prompt/serialize-conversation.ts'
import { redactGuidance } from '../prompt/redact-inputs.ts'
import { redactFiles, startRedaction } from '../redact/redaction.ts'
import type { HandoffReply, HandoffRequest } from '../schemas/handoff.ts'
import { readBranch } from '../session/read-session.ts'
import { summarizeChecked, tellPlan } from './write-drafts.ts'
import { assembleResult } from '../summary/assemble-result.ts'
import { expectOfTask } from '../summary/checks/expectations.ts'
import { takeEvidence } from '../summary/evidence-section.ts'

/**
 * Writes the document from which a new session goes on without the old one: `POST /handoff`.
 * @throws Problem `invalid-session`, `nothing-to-compact` for a session without a message, or what the summarizer throws
 */
export async function handOff(
  request: HandoffRequest,
  services: CompactionServices,
  budget: PipelineBudget,
): Promise<HandoffReply> {
  const pace = createPace(budget.signal)
  const plan = planHandoff(await readBranch(request, pace))
  if (plan.messages.length === 0 && plan.previousSummary === undefined) throw nothingToCompact()
  const redaction = startRedaction(services.redact)
  const messages = await runInTurns(redaction.inSteps(plan.messages), pace)
  const { text, evidence } = takeEvidence(redaction.text(plan.previousSummary ?? ''))
  const previousSummary = text.trim() === '' ? undefined : text
  const guidance = { ...redactGuidance(request, redaction), previousSummary }
  const maxTokens = limitTokens(HISTORY_SHARE, request.settings ?? {}, services.maxSummaryTokens)
  const task = {
    kind: 'handoff' as const,
    ...buildHandoffPrompt({
      ...guidance,
      templates: services.templates,
      conversation: await runInTurns(serializeInSteps(messages), pace),
    }),
    maxTokens,
    source: { form: 'messages' as const, messages, ...(previousSummary === undefined ? {} : { previousSummary }) },
  }
  await tellPlan([task], { ...services, budget })
  const expected = await runInTurns(expectOfTask(task, { ...guidance, promptOverride: undefined }), pace)
  const drafts = await summarizeChecked({ history: { task, expected } }, services, budget)
  const material = { history: messages, turnPrefix: [], kept: [], previousSummary, evidence, limitTokens: maxTokens }
  const files = redactFiles(plan.files, redaction)
  const parts = { material, files, drafts, redaction, startedAt: budget.startedAt }
  const result = await runInTurns(assembleResult(parts), createPace())
  return { document: result.summary, details: files, report: result.report }
}
