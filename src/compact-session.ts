import { summarizeSpans, type Spans } from './model/summarize-spans.ts'
import { nothingToCompact, type CompactionServices, type PipelineBudget } from './pipeline.ts'
import { estimateTextTokens } from './plan/estimate-tokens.ts'
import { planCompaction, type CompactionPlan, type MessageEntry } from './plan/plan-compaction.ts'
import { buildTasks, type SpanText } from './prompt/build-tasks.ts'
import { serializeConversation } from './prompt/serialize-conversation.ts'
import type { CompactionReply } from './schemas/compaction-reply.ts'
import type { SessionForm } from './schemas/compaction-request.ts'
import { readBranch } from './session/read-branch.ts'
import { assembleResult } from './summary/assemble-result.ts'
import { carryPreserveData } from './summary/carry-preserve-data.ts'
import { fullDetails } from './summary/full-details.ts'

/**
 * Compacts a session: the entries form, NDJSON and the messages form of `POST /compaction`.
 * @throws Problem `invalid-session`, `nothing-to-compact`, or what the summarizer throws
 */
export async function compactSession(
  request: SessionForm,
  services: CompactionServices,
  budget: PipelineBudget,
): Promise<CompactionReply> {
  const branch = readBranch(request)
  const settings = request.settings ?? {}
  const plan = planCompaction(branch, settings)
  if (plan.cut === null) throw nothingToCompact()
  const guidance = { ...request, previousSummary: plan.previousSummary }
  const tasks = buildTasks({ spans: spansOf(plan), guidance, settings, ...services })
  const drafts = await summarizeSpans(services.summarizer, tasks, budget)
  const result = assembleResult(plan, drafts, budget)
  const tokensAfter = plan.tokensKept + estimateTextTokens(result.summary)
  const preserveData = request.preserveData ?? carryPreserveData(branch)
  return {
    ...result,
    details: request.details === 'full' ? fullDetails(plan, tokensAfter) : result.details,
    firstKeptEntryId: plan.cut.firstKeptEntryId,
    isSplitTurn: plan.cut.isSplitTurn,
    tokensBefore: plan.tokensBefore,
    tokensAfter,
    ...(preserveData === undefined ? {} : { preserveData }),
  }
}

/** The spans of a plan that hold messages, as they are told to a summarizer. */
export function spansOf({ history, turnPrefix }: CompactionPlan): Spans<SpanText> {
  return {
    ...(history.length > 0 ? { history: spanText(history) } : {}),
    ...(turnPrefix.length > 0 ? { turnPrefix: spanText(turnPrefix) } : {}),
  }
}

function spanText(entries: readonly MessageEntry[]): SpanText {
  const messages = entries.map(({ message }) => message)
  return { messages, conversation: serializeConversation(messages) }
}
