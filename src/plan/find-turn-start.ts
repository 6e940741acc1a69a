import type { Entry } from '../session/entry.ts'
import type { Region } from './find-region.ts'

/** Entries that begin a turn by their type, whatever role their message has. */
const BEGINNING_TYPES = new Set(['custom_message', 'branch_summary'])

/**
 * Finds the beginning of the turn that a cut would split (planning rule 8).
 * @param cut index of the first message to be kept
 * @returns an index before the cut; undefined where the cut is a turn's beginning itself, or where the considered region
 * does not hold the beginning: then it is no split
 */
export function findTurnStart({ branch, start }: Region, cut: number): number | undefined {
  for (let index = cut; index >= start; index--) {
    if (isTurnBeginning(branch[index])) return index === cut ? undefined : index
  }
  return undefined
}

/** A turn begins at a user's message or command, a custom message or a branch summary, and at nothing else (docs/contract.md, "Words"). */
function isTurnBeginning(entry: Entry | undefined): boolean {
  if (entry?.message === undefined) return false
  const { role } = entry.message
  return role === 'user' || role === 'bashExecution' || BEGINNING_TYPES.has(entry.type)
}
