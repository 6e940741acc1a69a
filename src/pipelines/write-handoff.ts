import type { ReadRequest } from '../ingest/read-request.ts'
import { collectFiles } from '../files/collect-files.ts'
import { findFileLists, findRegion } from '../plan/region.ts'
import { buildHandoffPrompt } from '../prompt/build-prompts.ts'
import { serializeConversation } from '../prompt/serialize-conversation.ts'
import { redactFiles, startRedaction } from '../redact/redaction.ts'
import type { HandoffReply, HandoffRequest } from '../schemas/handoff.ts'
import type { Entry, FileLists } from '../session/entry.ts'
import type { Message } from '../session/message.ts'
import { selectBranch } from '../session/tree.ts'
import { nothingToCompact, type CompactionServices, type PipelineBudget } from './services.ts'
import { readPreviousSummary, redactGuidance, runSummaryJob, summaryLimitTokens } from './summary-job.ts'

const EMPTY_SESSION =
  'The session has no messages and no previous summary, so there is nothing to hand off. Send a session with messages.'

/**
 * Writes the document with which a new session can continue without the old one: `POST /handoff`.
 * @throws Problem `invalid-session`, `nothing-to-compact` for a session without messages, or what the summarizer throws
 */
export async function writeHandoff(
  { fields: request, session }: ReadRequest<HandoffRequest>,
  services: CompactionServices,
  budget: PipelineBudget,
): Promise<HandoffReply> {
  const plan = planHandoff(selectBranch(session, request.leafId))
  if (plan.messages.length === 0 && plan.previousSummary === undefined) throw nothingToCompact(EMPTY_SESSION)
  const redaction = startRedaction(services.redact)
  const messages = redaction.messages(plan.messages)
  const conversation = serializeConversation(messages)
  const previous = readPreviousSummary(redaction.text(plan.previousSummary ?? ''))
  const { previousSummary } = previous
  const guidance = { ...redactGuidance(request, redaction), previousSummary, promptOverride: undefined }
  const maxTokens = summaryLimitTokens(request.settings ?? {}, services)
  const task = {
    kind: 'handoff' as const,
    ...buildHandoffPrompt({ ...guidance, templates: services.templates, conversation }),
    maxTokens,
    source: { form: 'messages' as const, messages, ...(previousSummary === undefined ? {} : { previousSummary }) },
  }
  const inputs = { ...previous, history: messages, turnPrefix: [], kept: [], limitTokens: maxTokens }
  const job = { tasks: { history: task }, guidance, inputs, files: redactFiles(plan.files, redaction), redaction }
  const { summary, details, report } = await runSummaryJob(job, services, budget)
  return { document: summary, details, report }
}

/** The material of a handoff, as data. */
interface HandoffPlan {
  messages: Message[]
  /** Without the file tags. */
  previousSummary?: string
  files: FileLists
}

/** Plans a handoff: all messages that `/context` returns, and all their files (docs/contract.md, `/handoff`). */
function planHandoff(branch: readonly Entry[]): HandoffPlan {
  const region = findRegion(branch)
  const messages = branch.slice(region.start).flatMap(({ message }) => message ?? [])
  const summary = region.previous?.summary
  return {
    messages,
    ...(summary === undefined ? {} : { previousSummary: summary }),
    files: collectFiles({ messages, lists: findFileLists(region, branch.length) }),
  }
}
