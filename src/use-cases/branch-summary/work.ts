import { appendFileTags } from '../../files/file-tags.ts'
import { compileValidator } from '../../ingest/compile-validator.ts'
import { readRequest, type ReadRequest } from '../../ingest/read-request.ts'
import { planBranchSummary } from '../../plan/plan-branch-summary.ts'
import { resolveReserveTokens } from '../../plan/settings.ts'
import { redactFiles, startRedaction } from '../../redact/redaction.ts'
import {
  BranchSummaryRequestSchema,
  type BranchSummaryReply,
  type BranchSummaryRequest,
} from '../../schemas/branch-summary.ts'
import type { FileLists } from '../../session/entry.ts'
import { finishText } from '../shared/client-prompt.ts'
import type { Material, Pipeline } from '../shared/pipeline.ts'
import { prepareSummary } from '../shared/prepare-summary.ts'
import { summaryWork } from '../shared/summary-work.ts'

interface BranchMaterial extends Material {
  files: FileLists
  commonAncestorId: string | null
  entryIds: string[]
}

/** `POST /branch-summary`: summarizes the branch that an agent leaves when it moves to another leaf. */
const summarizeBranch: Pipeline<ReadRequest<BranchSummaryRequest>, BranchMaterial> = {
  hooks: 'branch',

  /** @throws Problem `invalid-session`, `nothing-to-compact` */
  prepare({ fields, session }, context) {
    const { fromId, targetId, customInstructions = '', settings = {} } = fields
    const window = settings.contextWindow ?? context.summarizerWindow
    const budgetTokens = window - resolveReserveTokens(settings)
    const plan = planBranchSummary(session, { fromId, targetId, budgetTokens })
    const instructions = context.additions?.customInstructions ?? customInstructions
    const { commonAncestorId, entryIds } = plan
    const texts = [instructions]
    const redaction = startRedaction(context.redact, { messages: plan.messages, texts, files: plan.files })
    const source = {
      kind: 'branch' as const,
      texts: { history: { messages: redaction.messages(plan.messages) } },
      kept: [],
      session: plan,
      files: redactFiles(plan.files, redaction),
      previousSummary: '',
      redaction,
      // The caller's own instructions replace ours, including our sections.
      request: { promptOverride: instructions, settings },
    }
    const { material, writeTasks } = prepareSummary(source, { ...context, additions: undefined })
    // Code adds nothing to it.
    const { inputs: _inputs, ...others } = material
    return { material: { ...others, commonAncestorId, entryIds }, writeTasks }
  },

  finish(material, { history: draft }, context) {
    const { files, commonAncestorId, entryIds } = material
    const text = appendFileTags(`${context.templates['branch-preamble']}\n\n${draft?.text ?? ''}`, files)
    const { summary, report } = finishText(material, draft && { ...draft, text }, context)
    const reply: BranchSummaryReply = { summary, details: files, commonAncestorId, entryIds, report }
    return { reply, summary, reported: { report } }
  },
}

const READING = {
  lists: ['entries' as const],
  isWhole: false,
  validate: compileValidator(BranchSummaryRequestSchema),
  entriesForm: BranchSummaryRequestSchema,
}

export default summaryWork({ branch: summarizeBranch }, (received, context) => {
  const request = readRequest(received, READING, context)
  return { name: 'branch', request, notes: request }
})
