import { mapSegments, type Segments } from '../../prompt/task.ts'
import { resumeRedaction } from '../../redact/redaction.ts'
import type { CheckedDraft } from '../../summary/draft.ts'
import { readSummary } from '../../summary/summary.ts'
import { defined } from '../../text/defined.ts'
import type { Material } from './pipeline.ts'

/**
 * Returns drafts that were checked before, without the secrets that only this request shows. Their calls are those of the
 * preparation, and not of this request.
 */
export function redactPrepared(
  drafts: Segments<CheckedDraft>,
  { redaction: { values } }: Material,
  isOn: boolean,
): Segments<CheckedDraft> {
  const { text, count } = resumeRedaction(isOn, { values, count: 0 })
  const redact = (draft: CheckedDraft): CheckedDraft => {
    const before = count()
    const { findings, shortSummary } = draft
    const { grounding } = findings
    return defined({
      ...draft,
      ...{ calls: 0, usage: { inputTokens: 0, outputTokens: 0 }, repairs: 0 },
      ...readSummary(text(draft.text)),
      shortSummary: shortSummary && text(shortSummary),
      findings: defined({
        ...findings,
        grounding: grounding && { ...grounding, unknown: grounding.unknown.map(text) },
      }),
      redactions: draft.redactions + count() - before,
    })
  }
  return mapSegments(drafts, redact)
}
