import { pairMessages } from '../../extract/runs.ts'
import { collectFiles } from '../../files/collect-files.ts'
import { findFileLists, findRegion } from '../../plan/region.ts'
import { buildHandoffPrompt, type HistoryGuidance } from '../../prompt/build-prompts.ts'
import { buildTask, sourceOf, targetOf } from '../../prompt/build-tasks.ts'
import { blocksOf } from '../../prompt/transcript-blocks.ts'
import { redactFiles, startRedaction, type Redaction } from '../../redact/redaction.ts'
import type { HandoffReply, HandoffRequest } from '../../schemas/handoff.ts'
import type { Entry, FileLists } from '../../session/entry.ts'
import type { Message } from '../../session/message.ts'
import type { ReadRequest } from '../../ingest/read-request.ts'
import { selectBranch } from '../../session/link-session.ts'
import type { Pipeline } from '../shared/pipeline.ts'
import { explainNoMessages, hintAtIgnored, nothingToCompact } from '../shared/nothing-to-compact.ts'
import type { WorkContext } from '../../jobs/protocol.ts'
import {
  finishSummary,
  guidanceTexts,
  readPreviousSummary,
  redactGuidance,
  summaryLimitTokens,
  transcriptLimits,
  type SummaryMaterial,
} from '../shared/summary-material.ts'

const EMPTY_BRANCH =
  'The branch of the session has no messages and no previous summary, so there is nothing to hand off. Name another leaf.'

/** `POST /handoff`: writes the document with which a new session can continue without the old one. */
export const writeHandoff: Pipeline<ReadRequest<HandoffRequest>, SummaryMaterial> = {
  /** @throws Problem `invalid-session`, `nothing-to-compact` for a session without messages */
  prepare({ fields: request, session, ignored }, context) {
    const plan = planHandoff(selectBranch(session, request.leafId))
    if (plan.messages.length === 0 && plan.previousSummary === undefined)
      throw nothingToCompact((explainNoMessages(session) ?? EMPTY_BRANCH) + hintAtIgnored(ignored))
    const redaction = searchPlan(plan, request, context)
    const paired = pairMessages(redaction.messages(plan.messages))
    const previous = readPreviousSummary(redaction.text(plan.previousSummary ?? ''))
    const previousSummary = previous.previousSummary?.text
    const guidance = {
      ...redactGuidance(request, redaction, context.additions),
      previousSummary,
      promptOverride: undefined,
    }
    const maxTokens = summaryLimitTokens(request.settings ?? {}, context)
    const history = { kind: 'handoff' as const, maxTokens, source: sourceOf(paired, previousSummary) }
    const files = redactFiles(plan.files, redaction)
    const inputs = {
      ...previous,
      history: paired.messages,
      turnPrefix: [],
      kept: [],
      runs: paired.runs,
      limitTokens: maxTokens,
      hasSections: true,
    }
    const { templates } = context
    const build = (transcript: { conversation: string }) =>
      buildHandoffPrompt({ ...guidance, templates, ...transcript, tokens: targetOf(history) })
    return {
      material: { assignments: { history }, guidance, inputs, files, redaction: redaction.state() },
      writeTasks: () => ({
        history: buildTask(history, {
          text: { blocks: blocksOf(paired) },
          limits: transcriptLimits(request.settings, context),
          build,
        }),
      }),
    }
  },

  finish(material, drafts, context) {
    const { summary, details, report } = finishSummary(material, drafts, context)
    const reply: HandoffReply = { document: summary, details, report }
    return { reply, summary, reported: { report } }
  },
}

/** The material of a handoff, as data. */
interface HandoffPlan {
  messages: Message[]
  /** Without the file tags. */
  previousSummary?: string
  files: FileLists
}

const searchPlan = (
  { messages, previousSummary, files }: HandoffPlan,
  request: HistoryGuidance,
  { redact, additions }: WorkContext,
): Redaction =>
  startRedaction(redact, { messages, texts: [previousSummary, ...guidanceTexts(request, additions)], files })

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
