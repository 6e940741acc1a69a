import { findRegion, lastEncrypted } from '../../plan/region.ts'
import type { Entry } from '../../session/entry.ts'

/** Returns where the newest compaction of a branch is among all entries, from 1 on, if it is encrypted. */
export function findEncrypted(entries: readonly Entry[], branch: readonly Entry[]): number | undefined {
  const index = lastEncrypted(branch)
  const { playStart, previous } = findRegion(branch)
  const id = index < (previous?.index ?? playStart) ? undefined : branch[index]?.id
  return id === undefined ? undefined : entries.findIndex((entry) => entry.id === id) + 1
}
