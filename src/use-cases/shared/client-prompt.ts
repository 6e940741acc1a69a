import type { WorkContext } from '../../jobs/protocol.ts'
import { withOwnLimits } from '../../plan/settings.ts'
import { chunkClientPrompt } from '../../prompt/chunk-prompt.ts'
import { createTask, type ChatTurn } from '../../prompt/task.ts'
import { resumeRedaction, type Redaction } from '../../redact/redaction.ts'
import type { Report } from '../../schemas/compaction-reply.ts'
import { readAskedSections } from '../../summary/asked-sections.ts'
import type { CheckedDraft } from '../../summary/draft.ts'
import { reportOn } from '../../summary/report.ts'
import type { FinishContext, Material, PreparedRequest } from './pipeline.ts'

/** A prompt that a client has written, without secrets. */
interface ClientPrompt {
  prompt: string
  systemPrompt?: string | undefined
  /** The same as separate messages. */
  turns?: readonly ChatTurn[]
  maxTokens?: number | null | undefined
}

/** Returns what is needed to answer a client's own prompt. It is split only if it has conversation tags. */
export function prepareClientPrompt(
  { maxTokens, ...texts }: ClientPrompt,
  redaction: Redaction,
  context: WorkContext,
): PreparedRequest<Material> {
  const { prompt } = texts
  const history = {
    kind: 'prompt' as const,
    maxTokens: withOwnLimits(context, { maxTokens }).maxSummaryTokens,
    source: { form: 'prompt' as const, prompt },
  }
  return {
    material: {
      ...{ assignments: { history }, guidance: {} },
      ...{ asked: readAskedSections(prompt), redaction: redaction.state() },
    },
    writeTasks: () => ({
      history: createTask({ ...history, ...texts, ...chunkClientPrompt(prompt, context.templates) }),
    }),
  }
}

/** Returns a draft in the form of a client or of its own, to which code adds nothing: its text without secrets, and the report. */
export function finishText(
  { redaction: found, ignored, format, given }: Material,
  draft: CheckedDraft | undefined,
  { redact, startedAt, notes }: FinishContext,
): { summary: string; report: Report } {
  if (draft === undefined) throw new Error('A task has a draft.')
  const redaction = resumeRedaction(redact, found)
  const summary = given ?? redaction.text(draft.text)
  return { summary, report: reportOn([draft], { startedAt, redactions: redaction.count(), notes, ignored, format }) }
}
