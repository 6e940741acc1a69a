import type { Draft } from '../model/summarizer.ts'
import type { Redaction } from '../redact/redaction.ts'
import type { Report, Checks } from '../schemas/compaction-reply.ts'
import type { FormatId } from '../schemas/format.ts'
import type { Ignored } from '../schemas/ignored.ts'
import { firstCharacters, replaceLoneSurrogates } from '../text/shorten.ts'
import type { CheckedDraft } from './draft.ts'
import type { Essentials } from './restore-essentials.ts'

/** Reports on the drafts of a reply and the findings of their checks; the model is that of the first draft. */
export function reportOn(drafts: readonly CheckedDraft[], facts: ReportFacts): Report {
  const { startedAt, redactions, essentials, ignored, format, notes } = facts
  const sum = (count: (draft: Draft) => number): number => drafts.reduce((total, draft) => total + count(draft), 0)
  const isEmbedded = drafts.every(({ model }) => model === 'embedded')
  const isGiven = (by: string): boolean => drafts.every(({ model, chunks }) => model === by && chunks === 0)
  const isCut = drafts.some(({ chunks }) => chunks > 1)
  return {
    model: drafts[0]?.model ?? 'embedded',
    strategy: isEmbedded
      ? 'embedded'
      : isGiven('caller')
        ? 'caller'
        : isGiven('hook')
          ? 'hook'
          : isCut
            ? 'windows'
            : 'single',
    windows: isEmbedded ? 1 : sum(({ chunks }) => chunks),
    calls: sum(({ calls }) => calls),
    usage: { inputTokens: sum(({ usage }) => usage.inputTokens), outputTokens: sum(({ usage }) => usage.outputTokens) },
    durationMs: Date.now() - startedAt,
    degraded: drafts.some(({ isDegraded }) => isDegraded === true),
    redactions: redactions + sum((draft) => draft.redactions),
    checks: reportChecks(drafts, essentials),
    ...(format === undefined ? {} : { format }),
    ...notes,
    ...(ignored === undefined ? {} : { ignored }),
  }
}

interface ReportFacts {
  /** The time at which the request arrived, in milliseconds since the epoch. */
  startedAt: number
  /** The number of secrets that were replaced in the inputs of the model, and in text written by code. */
  redactions: number
  /** The content that code added to the summary, if it added any. */
  essentials?: Partial<Omit<Essentials, 'summary'>>
  /** The parts of the request that were not read. */
  ignored?: Ignored | undefined
  format?: FormatId | undefined
  notes?: ReportNotes | undefined
}

/** What a report says of the service's own rules. */
export type ReportNotes = Pick<Report, 'prompts' | 'hooks'>

/** Returns the parts of a request that were not read, with names that may be shown: short, and without secrets. */
export function reportIgnored({ lines, ...groups }: Ignored, { text: redact }: Redaction): Ignored {
  const shown = Object.entries(groups).map(([group, counts]) => [group, showNames(counts, redact)] as const)
  return { ...Object.fromEntries(shown), ...(lines === undefined ? {} : { lines }) }
}

const MAX_NAME_CHARACTERS = 64

/** Names that look the same after they were cut and redacted are counted together. */
function showNames(counts: Readonly<Record<string, number>>, redact: Redaction['text']): Record<string, number> {
  const shown = new Map<string, number>()
  for (const [name, count] of Object.entries(counts)) {
    // Redacted before it is cut: half a secret is not recognized.
    const short = firstCharacters(replaceLoneSurrogates(redact(name)), MAX_NAME_CHARACTERS)
    shown.set(short, (shown.get(short) ?? 0) + count)
  }
  return Object.fromEntries(shown)
}

/** Reports the findings of the checks, over all drafts of a reply. */
export function reportChecks(
  drafts: readonly CheckedDraft[],
  { latestRequest, constraintsRestored, evidenceTokens }: NonNullable<ReportFacts['essentials']> = {},
): Checks {
  const found = <K extends keyof CheckedDraft['findings']>(name: K) =>
    drafts.flatMap(({ findings }) => findings[name] ?? []) as NonNullable<CheckedDraft['findings'][K]>[]
  const [sections, grounding, sizes, languages, injections] = [
    found('sections'),
    found('grounding'),
    found('size'),
    found('language'),
    found('injection'),
  ]
  const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)
  return {
    ...(sections.length === 0 ? {} : { sections: { missing: sections.flatMap(({ missing }) => missing) } }),
    ...(latestRequest === undefined ? {} : { latestRequest }),
    ...(constraintsRestored === undefined ? {} : { constraints: { restored: constraintsRestored } }),
    ...(evidenceTokens === undefined ? {} : { evidence: { tokens: evidenceTokens } }),
    ...(grounding.length === 0
      ? {}
      : {
          grounding: {
            checked: sum(grounding.map(({ checked }) => checked)),
            unknown: [...new Set(grounding.flatMap(({ unknown }) => unknown))],
          },
        }),
    ...pickLanguage(languages),
    ...(sizes.length === 0
      ? {}
      : {
          size: {
            tokens: sum(sizes.map(({ tokens }) => tokens)),
            limitTokens: sum(sizes.map(({ limitTokens }) => limitTokens)),
          },
        }),
    ...(injections.length === 0 ? {} : { injection: { obeyed: injections.flatMap(({ obeyed }) => obeyed) } }),
    repaired: sum(drafts.map(({ repairs }) => repairs)),
  }
}

type Language = NonNullable<CheckedDraft['findings']['language']>

/** Returns the first wrong language, or else one that is known. */
function pickLanguage(languages: Language[]): { language?: Language } {
  const wrong = languages.find(({ expected, found }) => expected !== null && found !== null && expected !== found)
  const language = wrong ?? languages.find(({ expected }) => expected !== null) ?? languages[0]
  return language === undefined ? {} : { language }
}
