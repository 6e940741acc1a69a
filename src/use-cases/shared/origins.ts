import type { CompactionPlan, MessageEntry } from '../../plan/plan-compaction.ts'
import type { COMPACTION_PARTS } from '../../schemas/provenance.ts'
import type { Entry, ProjectFile } from '../../session/entry.ts'
import type { Origin } from '../../summary/provenance.ts'
import type { SummaryMaterial } from './summary-material.ts'

/** The additional fields of the reply. */
export type CompactionParts = ReadonlySet<(typeof COMPACTION_PARTS)[number]>

/** The ids of the entries whose messages are in `inputs`, and the entries that are not in it, as plain data. */
export interface OriginIds extends Record<'history' | 'turnPrefix' | 'kept', readonly string[]> {
  /** The entries that the previous compaction covers: code quotes the user's messages of all compactions. */
  covered: readonly Origin[]
  previous?: { id: string; summary: string }
  /** The files of the project that are shown beside entries, by the ids of these. */
  projectFiles: readonly (readonly [string, readonly ProjectFile[]])[]
}

/** Returns where a plan has its facts from. */
export function originIdsOf(
  { regions, history, turnPrefix, kept, previousCompaction, previousSummary }: CompactionPlan,
  branch: readonly Entry[],
): OriginIds {
  const idsOf = (entries: readonly MessageEntry[]): string[] => entries.map(({ id }) => id)
  return {
    covered: branch.flatMap(({ id, message }, index) =>
      message !== undefined && regions[index] === 'covered' ? { id, message } : [],
    ),
    history: idsOf(history),
    turnPrefix: idsOf(turnPrefix),
    kept: idsOf(kept),
    projectFiles: branch.flatMap(({ id, projectFiles = [] }) => (projectFiles.length > 0 ? [[id, projectFiles]] : [])),
    ...(previousCompaction === undefined
      ? {}
      : { previous: { id: previousCompaction.id, summary: previousTexts(previousCompaction, previousSummary) } }),
  }
}

/** Returns what the previous compaction says: `previousSummary` has no file tags, and its details have files too. */
const previousTexts = ({ compaction, files }: Entry, previousSummary = ''): string =>
  [compaction?.summary ?? previousSummary, ...(files?.modifiedFiles ?? []), ...(files?.readFiles ?? [])].join('\n')

/** Returns the entries that a summary may take facts from, oldest first: the previous compaction comes after what it covers. */
export function originsOf(
  { covered, previous, projectFiles, ...ids }: OriginIds,
  inputs: SummaryMaterial['inputs'],
): Origin[] {
  const origins = (['history', 'turnPrefix', 'kept'] as const).flatMap((part) =>
    inputs[part].map((message, index): Origin => ({ id: ids[part][index] ?? '', message })),
  )
  const earlier: Origin[] =
    previous === undefined
      ? []
      : [{ id: previous.id, message: { role: 'compactionSummary', summary: previous.summary } }]
  const files = new Map(projectFiles)
  return [...covered, ...earlier, ...origins].map((origin) => ({ ...origin, projectFiles: files.get(origin.id) }))
}
