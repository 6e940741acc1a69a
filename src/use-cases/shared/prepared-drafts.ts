import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { compileValidator } from '../../ingest/compile-validator.ts'
import type { PromptAdditions } from '../../jobs/protocol.ts'
import { mapSegments, type Segments } from '../../prompt/task.ts'
import { resumeRedaction } from '../../redact/redaction.ts'
import { parseJson } from '../../session/entry.ts'
import type { CheckedDraft } from '../../summary/draft.ts'
import { readSummary } from '../../summary/summary.ts'
import { defined } from '../../text/defined.ts'
import type { Material } from './pipeline.ts'

/** The checked drafts of a beginning of a session, and what must be the same when they are used. */
export interface PreparedDrafts {
  /** When they were written, in milliseconds since the epoch. */
  madeAt: number
  drafts: Segments<CheckedDraft>
  /** A hash of what hooks have added to the prompts. */
  additions: string
  /** The hashes of the results of tools that they cover (`resultsOf`). */
  results: readonly string[]
}

/** Returns drafts as they are kept. Their sections are those of their texts. */
export const writePrepared = ({ drafts, ...others }: PreparedDrafts): object => ({
  ...others,
  drafts: mapSegments(drafts, withoutSections),
})

const withoutSections = ({ sections: _sections, ...draft }: CheckedDraft): Omit<CheckedDraft, 'sections'> => draft

/** Returns drafts that were kept; undefined if the text is something else. */
export function readPrepared(text: string): PreparedDrafts | undefined {
  const checked = validate(parseJson(text))
  if ('error' in checked) return undefined
  const { drafts, ...others } = checked.value
  return { ...others, drafts: mapSegments(drafts, withSections) }
}

const withSections = (draft: Omit<CheckedDraft, 'sections'>): CheckedDraft => ({ ...draft, ...readSummary(draft.text) })

/** Returns a hash of what hooks add to the prompts. */
export const digestOfAdditions = ({ context, prompt, customInstructions }: PromptAdditions = {}): string =>
  createHash('sha256')
    .update(JSON.stringify([context ?? [], prompt, customInstructions]))
    .digest('base64url')

const Count = Type.Integer({ minimum: 0 })
const Texts = Type.Array(Type.String())

const DraftSchema = Type.Object({
  text: Type.String({ pattern: '\\S' }),
  shortSummary: Type.Optional(Type.String()),
  model: Type.String(),
  chunks: Count,
  calls: Count,
  usage: Type.Object({ inputTokens: Type.Number(), outputTokens: Type.Number() }),
  redactions: Count,
  repairs: Count,
  findings: Type.Object({
    sections: Type.Optional(Type.Object({ missing: Texts, needsModel: Type.Boolean() })),
    grounding: Type.Optional(Type.Object({ checked: Count, unknown: Texts })),
    size: Type.Optional(Type.Object({ tokens: Count, limitTokens: Count })),
  }),
})

const validate = compileValidator(
  Type.Object({
    madeAt: Type.Number(),
    additions: Type.String(),
    results: Texts,
    drafts: Type.Union([
      Type.Object({ history: DraftSchema, turnPrefix: Type.Optional(DraftSchema) }),
      Type.Object({ history: Type.Optional(DraftSchema), turnPrefix: DraftSchema }),
    ]),
  }),
)

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
