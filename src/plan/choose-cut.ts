import { type Region, readableCompaction } from './region.ts'
import type { TokensBetween } from './context-size.ts'
import { toolCallsOf } from '../session/message.ts'
import { findValidCutPoints, mayBeginKept } from './cut-points.ts'
import type { Entry } from '../session/entry.ts'

/** Where a branch is cut. All positions are indexes into it. */
export interface Cut {
  /** The first message that is kept; what is summarized stands before it. */
  at: number
  /** The first entry that is kept: `at`, or the first of the metadata just before it. */
  firstKept: number
  /** The beginning of the turn that the cut splits; left out where it splits none. */
  turnStart?: number
}

/**
 * Chooses where to cut (planning rules 5, 7 and 8).
 * @param keepRecentTokens the budget, after rule 6
 * @returns undefined where no message stands between the region's start and the cut: there is nothing to compact
 */
export function chooseCut(region: Region, tokens: TokensBetween, keepRecentTokens: number): Cut | undefined {
  const at = findCutPoint(region, tokens, keepRecentTokens)
  if (at === undefined) return undefined
  const firstKept = findFirstKept(region, at)
  if (!region.branch.slice(region.start, firstKept).some(({ message }) => message !== undefined)) return undefined
  const turnStart = findTurnStart(region, at)
  return { at, firstKept, ...(turnStart === undefined ? {} : { turnStart }) }
}

/**
 * Finds where the kept region begins: the longest run of whole groups, from the newest back, whose tokens fit the
 * budget; an exact fit fits. The newest group is kept even where it alone does not fit, since a cut that fell back to
 * the first message would compact nothing, for ever (planning rule 5).
 * @param keepRecentTokens the budget, after rule 6
 * @returns an index into the branch; undefined where there is no valid cut point at all
 */
export function findCutPoint(region: Region, tokens: TokensBetween, keepRecentTokens: number): number | undefined {
  const fits = (point: number): boolean => tokens(point, region.branch.length) <= keepRecentTokens
  const found = walkFromTail(region, fits)
  if (found !== 'unsure') return found
  const points = findValidCutPoints(region)
  return points.find(fits) ?? points.at(-1)
}

/**
 * Walks from the newest message to the oldest, no further than the budget reaches: a cut is valid where every result
 * that was passed has met its call, the nearest one before it of its id (planning rule 4).
 * @returns `unsure` where results are left whose calls stand before the region, or nowhere: the whole branch must be seen
 */
function walkFromTail({ branch, start }: Region, fits: (point: number) => boolean): number | undefined | 'unsure' {
  const waiting = new Set<string>()
  let best: number | undefined
  for (let index = branch.length - 1; index >= start; index--) {
    const message = branch[index]?.message
    if (message === undefined) continue
    if (message.role === 'toolResult') waiting.add(message.toolCallId)
    else for (const { id } of toolCallsOf(message)) waiting.delete(id)
    if (waiting.size > 0 || !mayBeginKept(message)) continue
    const isWithin = fits(index)
    if (isWithin || best === undefined) best = index
    if (!isWithin) return best
  }
  return waiting.size > 0 ? 'unsure' : best
}

/**
 * Moves entries without a message that stand just before the cut into the kept region: model changes and labels belong
 * to what follows them (planning rule 7).
 * @param cut index of the first message to be kept
 * @returns the index of the first entry to be kept: back to the first entry with a message, a compaction or the region's
 * start; a reset boundary never stands in the region
 */
export function findFirstKept({ branch, start }: Region, cut: number): number {
  let firstKept = cut
  for (let index = cut - 1; index >= start; index--) {
    const entry = branch[index]
    if (entry === undefined || entry.message !== undefined || readableCompaction(entry) !== undefined) break
    // An unreadable compaction is passed over as if it were not there, and nothing may begin with it.
    if (entry.compaction === undefined) firstKept = index
  }
  return firstKept
}

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
