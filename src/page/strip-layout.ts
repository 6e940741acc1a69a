import type { PlannedEntry } from '../schemas/plan.ts'

/** `summary`: the newest compaction of the agent, whose summary is in the context. */
export type StripRegion = PlannedEntry['region'] | 'summary'

/** An entry of a plan, as the page shows it. */
export type SessionEntry = Omit<PlannedEntry, 'region'> & { region: StripRegion }

/** The kind of an entry, as the page shows it. */
export type EntryKind = 'turn' | 'answer' | 'output' | 'compaction' | 'other'

/** Where entries begin on the strip, in shares of its width; one more than there are: entry N is from N to N + 1. */
export type StripEdges = Float64Array

/** Returns the edges of entries on a strip on which each is as wide as its tokens. */
export function layOut(entries: readonly Pick<SessionEntry, 'tokens'>[]): StripEdges {
  const sums = new Float64Array(entries.length + 1)
  for (const [index, { tokens }] of entries.entries()) sums[index + 1] = (sums[index] ?? 0) + tokens
  const totalTokens = sums[entries.length] ?? 0
  return totalTokens === 0 ? sums : sums.map((sum) => sum / totalTokens)
}

/** Returns the index of the entry at a share of the width. */
export function entryAt(edges: StripEdges, share: number): number {
  let [low, high] = [0, edges.length - 2]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((edges[middle] ?? 0) <= share) low = middle
    else high = middle - 1
  }
  return low
}

/** A rectangle of the strip: neighbours that look the same are one. */
interface Run {
  from: number
  to: number
  region: StripRegion
  kind: EntryKind
}

/** Returns the runs of entries that look the same. */
export function findRuns(entries: readonly SessionEntry[]): Run[] {
  const runs: Run[] = []
  for (const [index, entry] of entries.entries()) {
    if (entry.tokens === 0) continue
    const kind = kindOf(entry)
    const last = runs.at(-1)
    if (last?.region === entry.region && last.kind === kind && last.kind !== 'turn') last.to = index + 1
    else runs.push({ from: index, to: index + 1, region: entry.region, kind })
  }
  return runs
}

export function kindOf({ type, role, startsTurn }: SessionEntry): EntryKind {
  if (type === 'compaction' || role === 'compactionSummary') return 'compaction'
  if (startsTurn === true) return 'turn'
  if (role === 'assistant') return 'answer'
  return role === 'toolResult' || role === 'tool' ? 'output' : 'other'
}

/** Whether the agent has compacted the session in an entry, or right after it, and not on another branch. */
export const isCompacted = (entry: SessionEntry): boolean =>
  entry.isOffBranch !== true && (kindOf(entry) === 'compaction' || entry.encryptedCompaction !== undefined)

/** Whether an entry is a compaction whose summary can be read, on the branch of the newest entry. */
export const hasSummary = (entry: SessionEntry): boolean =>
  isCompacted(entry) && kindOf(entry) === 'compaction' && entry.encryptedCompaction === undefined

/** The regions that have tokens, in their order on the strip. */
export const REGIONS: readonly StripRegion[] = ['covered', 'summary', 'summarized', 'turn-prefix', 'kept']

/** The regions that a compaction replaces with the summary. */
export const REPLACED: readonly StripRegion[] = ['summarized', 'turn-prefix']

/** Returns how many entries some regions have, and their tokens. */
export function sumOf(entries: readonly SessionEntry[], regions: readonly StripRegion[]) {
  const found = entries.filter(({ region }) => regions.includes(region))
  return { entries: found.length, tokens: found.reduce((sum, { tokens }) => sum + tokens, 0) }
}

export const REGION_NAMES: Readonly<Record<StripRegion, string>> = {
  covered: 'Summarized before',
  summary: 'Summary in the context',
  summarized: 'Summarized now',
  'turn-prefix': 'Summarized now: start of the current request',
  kept: 'Stays word for word',
  ignored: 'Not in the context',
}

export const KIND_NAMES: Readonly<Record<EntryKind, string>> = {
  turn: 'Request',
  answer: 'Agent',
  output: 'Tool output',
  compaction: 'Earlier compaction',
  other: 'Other',
}
