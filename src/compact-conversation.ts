import { createPace } from './pace.ts'
import type { CompactionServices, PipelineBudget } from './pipeline.ts'
import { planTranscript } from './plan-transcript.ts'
import { takeFileTags } from './plan/take-file-tags.ts'
import { buildTasks } from './prompt/build-tasks.ts'
import { HISTORY_SHARE, limitTokens } from './prompt/limit-tokens.ts'
import { startRedaction } from './redact/start-redaction.ts'
import { redactGuidance } from './redact/redact-guidance.ts'
import type { CompactionReply } from './schemas/compaction-reply.ts'
import type { ConversationForm } from './schemas/compaction-request.ts'
import { runInTurns } from './steps.ts'
import { summarizeChecked } from './summarize-checked.ts'
import { expectOfTasks } from './summary/checks/expect-of-tasks.ts'
import { takeEvidence } from './summary/evidence/take-evidence.ts'
import { assembleResult } from './summary/assemble-result.ts'
import { tellPlan } from './tell-plan.ts'

/**
 * Compacts a serialized transcript: the conversation form of `POST /compaction`. All of it is summarized, unless the
 * settings say how much to keep.
 * @throws Problem `nothing-to-compact`, or what the summarizer throws
 */
export async function compactConversation(
  request: ConversationForm,
  services: CompactionServices,
  budget: PipelineBudget,
): Promise<CompactionReply> {
  const { settings = {}, preserveData } = request
  const redaction = startRedaction(services.redact)
  const given = takeFileTags(request.previousSummary ?? '')
  const previous = takeEvidence(redaction.text(given.text))
  const pace = createPace(budget.signal)
  const plan = await runInTurns(planTranscript(request, given.files, redaction), pace)
  const guidance = { ...redactGuidance(request, redaction), previousSummary: previous.text }
  const tasks = buildTasks({ spans: plan.spans, guidance, settings, ...services })
  await tellPlan(Object.values(tasks), { ...services, budget })
  const spans = await runInTurns(expectOfTasks(tasks, guidance), pace)
  const drafts = await summarizeChecked(spans, services, budget)
  const material = {
    history: plan.spans.history?.messages ?? [],
    turnPrefix: plan.spans.turnPrefix?.messages ?? [],
    kept: plan.keptMessages,
    previousSummary: previous.text.trim() === '' ? undefined : previous.text,
    evidence: previous.evidence,
    limitTokens: limitTokens(HISTORY_SHARE, settings, services.maxSummaryTokens),
  }
  const parts = { material, files: plan.files, drafts, redaction, startedAt: budget.startedAt }
  return {
    ...(await runInTurns(assembleResult(parts), createPace())),
    ...(plan.kept === undefined ? {} : { keptConversation: plan.kept }),
    ...(preserveData === undefined ? {} : { preserveData }),
  }
}
