import { pairMessages } from '../../extract/runs.ts'
import type { ReadRequest } from '../../ingest/read-request.ts'
import { appendFileTags } from '../../files/file-tags.ts'
import { planBranchSummary } from '../../plan/plan-branch-summary.ts'
import { resolveReserveTokens } from '../../plan/settings.ts'
import { buildBranchPrompt } from '../../prompt/build-prompts.ts'
import { buildTask, sourceOf } from '../../prompt/build-tasks.ts'
import { blocksOf } from '../../prompt/transcript-blocks.ts'
import { redactFiles, resumeRedaction, startRedaction } from '../../redact/redaction.ts'
import type { BranchSummaryReply, BranchSummaryRequest } from '../../schemas/branch-summary.ts'
import type { FileLists } from '../../session/entry.ts'
import { reportOn } from '../../summary/report.ts'
import type { Material, Pipeline } from '../shared/pipeline.ts'
import { summaryLimitTokens, transcriptLimits } from '../shared/summary-material.ts'

interface BranchMaterial extends Material {
  files: FileLists
  commonAncestorId: string | null
  entryIds: string[]
}

/** `POST /branch-summary`: summarizes the branch that an agent leaves when it moves to another leaf. */
export const summarizeBranch: Pipeline<ReadRequest<BranchSummaryRequest>, BranchMaterial> = {
  hooks: 'branch',

  /** @throws Problem `invalid-session`, `nothing-to-compact` */
  prepare({ fields, session }, context) {
    const { fromId, targetId, customInstructions = '', settings = {} } = fields
    const window = settings.contextWindow ?? context.summarizerWindow
    const budgetTokens = window - resolveReserveTokens(settings)
    const plan = planBranchSummary(session, { fromId, targetId, budgetTokens })
    const instructions = context.additions?.customInstructions ?? customInstructions
    const { messages: original, files: paths } = plan
    const redaction = startRedaction(context.redact, { messages: original, texts: [instructions], files: paths })
    const paired = pairMessages(redaction.messages(original))
    const focus = redaction.text(instructions)
    const files = redactFiles(paths, redaction)
    const history = {
      kind: 'branch' as const,
      maxTokens: summaryLimitTokens(settings, context),
      source: sourceOf(paired),
    }
    const { templates } = context
    return {
      material: {
        assignments: { history },
        // The caller's own instructions replace ours, including our sections.
        guidance: { promptOverride: focus },
        redaction: redaction.state(),
        files,
        commonAncestorId: plan.commonAncestorId,
        entryIds: plan.entryIds,
      },
      writeTasks: () => ({
        history: buildTask(history, {
          text: { blocks: blocksOf(paired) },
          limits: transcriptLimits(settings, context),
          build: (transcript) => buildBranchPrompt({ templates, ...transcript, customInstructions: focus }),
        }),
      }),
    }
  },

  finish(
    { files, commonAncestorId, entryIds, redaction: found, ignored, format, given },
    { history: draft },
    { redact, templates, startedAt, notes },
  ) {
    if (draft === undefined) throw new Error('The task of a branch has a draft.')
    const redaction = resumeRedaction(redact, found)
    const text = appendFileTags(`${templates['branch-preamble']}\n\n${draft.text}`, files)
    const summary = given ?? redaction.text(text)
    const report = reportOn([draft], { startedAt, redactions: redaction.count(), notes, ignored, format })
    const reply: BranchSummaryReply = { summary, details: files, commonAncestorId, entryIds, report }
    return { reply, summary, reported: { report } }
  },
}
