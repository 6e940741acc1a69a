import { findRegion, lastEncrypted, readableCompaction } from '../../plan/region.ts'
import { compactionsOf } from '../../recall/compactions.ts'
import type { Entry } from '../../session/entry.ts'
import { HEADINGS } from '../../text/summary-headings.ts'

/** A compaction whose summary can be read. All positions are indexes into the branch. */
export interface ReadableCompaction {
  /** Its number among all compactions of the branch, from 1. */
  number: number
  of: number
  at: number
  entry: Entry
  summary: string
  /** The first message that it has kept; `at` if it has kept none. */
  keptFrom: number
  isOwn: boolean
}

/** Returns the compactions of a branch; undefined for each whose text is encrypted, or is no summary. */
export function readCompactions(branch: readonly Entry[]): (ReadableCompaction | undefined)[] {
  const places = compactionsOf(branch)
  return places.map((at, index) => {
    const entry = branch[at]
    const compaction = entry && readableCompaction(entry)
    if (entry === undefined || compaction === undefined || compaction.summary.trim() === '') return undefined
    const { summary, firstKeptEntryId } = compaction
    return {
      ...{ number: index + 1, of: places.length, at, entry, summary },
      keptFrom: keptFrom(branch, at, firstKeptEntryId),
      isOwn: isWrittenByPrecis(summary),
    }
  })
}

/** Returns the first message that a compaction keeps. Metadata may come before it. */
function keptFrom(branch: readonly Entry[], at: number, firstKeptEntryId: string | undefined): number {
  const first = firstKeptEntryId === undefined ? -1 : branch.findIndex(({ id }) => id === firstKeptEntryId)
  if (first < 0 || first >= at) return at
  const message = branch.findIndex((entry, index) => index >= first && entry.message !== undefined)
  return message < 0 || message > at ? at : message
}

/** The headings that only code of this service writes: a model may write all others. */
const OWN_HEADINGS: ReadonlySet<string> = new Set([HEADINGS.userMessages, HEADINGS.evidence, HEADINGS.lookingUp])

const isWrittenByPrecis = (summary: string): boolean =>
  summary.split('\n').some((line) => OWN_HEADINGS.has(line.trimEnd()))

/** Returns where the newest compaction of a branch is among all entries, from 1 on, if it is encrypted. */
export function findEncrypted(entries: readonly Entry[], branch: readonly Entry[]): number | undefined {
  const index = lastEncrypted(branch)
  const { playStart, previous } = findRegion(branch)
  const id = index < (previous?.index ?? playStart) ? undefined : branch[index]?.id
  return id === undefined ? undefined : entries.findIndex((entry) => entry.id === id) + 1
}
