import type { Draft } from '../model/summarizer.ts'
import type { Checks, Report } from '../schemas/compaction-reply.ts'

interface ReportFacts {
  /** When the request came, in milliseconds since the epoch. */
  startedAt: number
  /** Secrets that were replaced before a model was asked, and in what code wrote. */
  redactions: number
  checks?: Checks
}

/** Reports on the drafts that a reply was made of; the first one's model is named. */
export function reportOn(drafts: readonly Draft[], { startedAt, redactions, checks }: ReportFacts): Report {
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
    ...(checks === undefined ? {} : { checks }),
  }
}
