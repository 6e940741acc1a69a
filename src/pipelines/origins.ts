import type { CompactionPlan, MessageEntry } from '../plan/plan-compaction.ts'
import type { COMPACTION_PARTS } from '../schemas/provenance.ts'
import type { Origin } from '../summary/provenance.ts'
import type { SummaryMaterial } from './summary-material.ts'

/** What the reply has in addition. */
export type CompactionParts = ReadonlySet<(typeof COMPACTION_PARTS)[number]>

/** The ids of the entries whose messages are in `inputs`, and the previous compaction. */
export interface OriginIds extends Record<'history' | 'turnPrefix' | 'kept', readonly string[]> {
  previous?: { id: string; summary: string }
}

/** Returns the ids that a plan's messages have, as plain data. */
export function originIdsOf({
  history,
  turnPrefix,
  kept,
  previousCompaction,
  previousSummary,
}: CompactionPlan): OriginIds {
  const idsOf = (entries: readonly MessageEntry[]): string[] => entries.map(({ id }) => id)
  return {
    history: idsOf(history),
    turnPrefix: idsOf(turnPrefix),
    kept: idsOf(kept),
    ...(previousCompaction === undefined || previousSummary === undefined
      ? {}
      : { previous: { id: previousCompaction.id, summary: previousSummary } }),
  }
}

/** Returns the entries that a summary may take facts from: the previous compaction first. */
export function originsOf({ previous, ...ids }: OriginIds, inputs: SummaryMaterial['inputs']): Origin[] {
  const origins = (['history', 'turnPrefix', 'kept'] as const).flatMap((part) =>
    inputs[part].map((message, index) => ({ id: ids[part][index] ?? '', message })),
  )
  if (previous === undefined) return origins
  return [{ id: previous.id, message: { role: 'compactionSummary', summary: previous.summary } }, ...origins]
}
