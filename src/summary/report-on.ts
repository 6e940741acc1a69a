import type { Draft } from '../model/summarizer.ts'
import type { Report } from '../schemas/compaction-reply.ts'
import type { CheckedDraft } from './check-draft.ts'
import { reportChecks } from './checks/report-checks.ts'
import type { Essentials } from './keep-essentials.ts'

interface ReportFacts {
  /** When the request came, in milliseconds since the epoch. */
  startedAt: number
  /** Secrets that were replaced before a model was asked, and in what code wrote. */
  redactions: number
  /** What code put into the summary, where it did. */
  essentials?: Omit<Essentials, 'summary'>
}

/** Reports on the drafts that a reply was made of, and what their checks found; the first one's model is named. */
export function reportOn(drafts: readonly CheckedDraft[], { startedAt, redactions, essentials }: ReportFacts): Report {
  const sum = (count: (draft: Draft) => number): number => drafts.reduce((total, draft) => total + count(draft), 0)
  const isEmbedded = drafts.every(({ model }) => model === 'embedded')
  const isCut = drafts.some(({ windows }) => windows > 1)
  return {
    model: drafts[0]?.model ?? 'embedded',
    strategy: isEmbedded ? 'embedded' : isCut ? 'windows' : 'single',
    windows: isEmbedded ? 1 : sum(({ windows }) => windows),
    calls: sum(({ calls }) => calls),
    usage: { inputTokens: sum(({ usage }) => usage.inputTokens), outputTokens: sum(({ usage }) => usage.outputTokens) },
    durationMs: Date.now() - startedAt,
    degraded: drafts.some(({ isDegraded }) => isDegraded === true),
    redactions: redactions + sum((draft) => draft.redactions),
    checks: reportChecks(drafts, essentials),
  }
}
