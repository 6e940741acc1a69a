import type { Draft } from '../model/summarizer.ts'
import type { Redaction } from '../redact/redaction.ts'
import type { Checks } from '../schemas/checks.ts'
import type { Report } from '../schemas/compaction-reply.ts'
import type { FormatId } from '../schemas/format.ts'
import type { Ignored } from '../schemas/ignored.ts'
import { defined } from '../text/defined.ts'
import { firstCharacters, replaceLoneSurrogates } from '../text/shorten.ts'
import type { CheckedDraft } from './draft.ts'
import type { Essentials } from './restore-essentials.ts'

/** Reports on the drafts of a reply and the findings of their checks; the model is that of the first draft. */
export function reportOn(drafts: readonly CheckedDraft[], facts: ReportFacts): Report {
  const { startedAt, redactions, essentials, ignored, format, notes } = facts
  const sum = (count: (draft: Draft) => number): number => sumOf(drafts, count)
  const strategy = strategyOf(drafts)
  return {
    model: drafts[0]?.model ?? 'embedded',
    strategy,
    windows: strategy === 'embedded' ? 1 : sum(({ chunks }) => chunks),
    calls: sum(({ calls }) => calls),
    usage: { inputTokens: sum(({ usage }) => usage.inputTokens), outputTokens: sum(({ usage }) => usage.outputTokens) },
    durationMs: Date.now() - startedAt,
    degraded: drafts.some(({ isDegraded }) => isDegraded === true),
    redactions: redactions + sum((draft) => draft.redactions),
    checks: reportChecks(drafts, essentials),
    ...defined({ format, ...notes, ignored }),
  }
}

function strategyOf(drafts: readonly Draft[]): Report['strategy'] {
  if (drafts.every(({ model }) => model === 'embedded')) return 'embedded'
  const writer = (['caller', 'hook'] as const).find((by) =>
    drafts.every(({ model, chunks }) => model === by && chunks === 0),
  )
  return writer ?? (drafts.some(({ chunks }) => chunks > 1) ? 'windows' : 'single')
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

/** The notes of a report on the service's own rules. */
export type ReportNotes = Pick<Report, 'prompts' | 'hooks'>

/** Returns the parts of a request that were not read, with names that may be shown: short, and without secrets. */
export function reportIgnored({ lines, ...groups }: Ignored, { text: redact }: Redaction): Ignored {
  const shown = Object.entries(groups).map(([group, counts]) => [group, showNames(counts, redact)] as const)
  return { ...Object.fromEntries(shown), ...defined({ lines }) }
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
  return {
    ...defined({
      sections: over(found('sections'), (all) => ({ missing: all.flatMap(({ missing }) => missing) })),
      latestRequest,
      constraints: constraintsRestored === undefined ? undefined : { restored: constraintsRestored },
      evidence: evidenceTokens === undefined ? undefined : { tokens: evidenceTokens },
      grounding: over(found('grounding'), (all) => ({
        checked: sumOf(all, ({ checked }) => checked),
        unknown: [...new Set(all.flatMap(({ unknown }) => unknown))],
      })),
      size: over(found('size'), (all) => ({
        tokens: sumOf(all, ({ tokens }) => tokens),
        limitTokens: sumOf(all, ({ limitTokens }) => limitTokens),
      })),
    }),
    repaired: sumOf(drafts, ({ repairs }) => repairs),
  }
}

/** Returns what several findings say together; undefined if there are none. */
const over = <T, R>(findings: readonly T[], join: (findings: readonly T[]) => R): R | undefined =>
  findings.length === 0 ? undefined : join(findings)

const sumOf = <T>(items: readonly T[], count: (item: T) => number): number =>
  items.reduce((total, item) => total + count(item), 0)
