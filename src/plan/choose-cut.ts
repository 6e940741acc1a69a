import type { Entry } from '../session/entry.ts'
import { toolCallsOf, type Message } from '../session/message.ts'
import type { TokensBetween } from './context-size.ts'
import type { Region } from './region.ts'
import { readableCompaction } from './region.ts'

/** Where a branch is cut. All positions are indexes into it. */
export interface Cut {
  /** The first message that is kept; the summary covers the messages before it. */
  at: number
  /** The first entry that is kept: `at`, or the first of the metadata just before it. */
  firstKept: number
  /** The beginning of the turn that the cut splits; left out where it does not split a turn. */
  turnStart?: number
}

/**
 * Returns where to cut a branch (planning rules 5, 7 and 8).
 * @param keepRecentTokens the budget, after rule 6
 * @returns undefined where there is no message between the region's start and the cut: there is nothing to compact
 */
export function chooseCut(region: Region, tokens: TokensBetween, keepRecentTokens: number): Cut | undefined {
  const at = findCutPoint(region, tokens, keepRecentTokens)
  if (at === undefined) return undefined
  const cut = cutBefore(region, at)
  return region.branch.slice(region.start, cut.firstKept).some(({ message }) => message !== undefined) ? cut : undefined
}

/** Returns the cut before a message. @param at its index, a valid cut point */
export function cutBefore(region: Region, at: number): Cut {
  const turnStart = findTurnStart(region, at)
  return { at, firstKept: findFirstKept(region, at), ...(turnStart === undefined ? {} : { turnStart }) }
}

/**
 * Returns where the kept region begins: the longest run of whole groups, from the newest back, whose tokens fit the
 * budget; an exact fit counts. The newest group is kept even if it exceeds the budget by itself: a cut at the first
 * message would compact nothing, each time again (planning rule 5).
 * @param keepRecentTokens the budget, after rule 6
 * @returns an index into the branch; undefined where there is no valid cut point
 */
export function findCutPoint(region: Region, tokens: TokensBetween, keepRecentTokens: number): number | undefined {
  const points = findValidCutPoints(region)
  return points.find((point) => tokens(point, region.branch.length) <= keepRecentTokens) ?? points.at(-1)
}

/**
 * Returns the first entry to keep: entries without a message just before the cut, such as model changes and labels,
 * belong to the message after them (planning rule 7).
 * @param cut index of the first message to be kept
 * @returns an index into the branch, after the nearest entry with a message or a compaction, and in the region
 */
export function findFirstKept({ branch, start }: Region, cut: number): number {
  let firstKept = cut
  for (let index = cut - 1; index >= start; index--) {
    const entry = branch[index]
    if (entry === undefined || entry.message !== undefined || readableCompaction(entry) !== undefined) break
    // An unreadable compaction is treated as absent, and the kept region cannot begin with it.
    if (entry.compaction === undefined) firstKept = index
  }
  return firstKept
}

/** Entries that begin a turn by their type, whatever role their message has. */
const BEGINNING_TYPES = new Set(['custom_message', 'branch_summary'])

/**
 * Returns the beginning of the turn that a cut would split (planning rule 8).
 * @param cut index of the first message to be kept
 * @returns an index before the cut; undefined where the cut splits no turn: it is the beginning of a turn itself, or
 *   the beginning is not in the considered region
 */
export function findTurnStart({ branch, start }: Region, cut: number): number | undefined {
  for (let index = cut; index >= start; index--) {
    if (isTurnBeginning(branch[index])) return index === cut ? undefined : index
  }
  return undefined
}

/**
 * Whether a turn begins at an entry: a user's message or command, a custom message, a branch summary (docs/contract.md,
 * "Words").
 */
export function isTurnBeginning(entry: Entry | undefined): boolean {
  if (entry?.message === undefined) return false
  const { role } = entry.message
  return role === 'user' || role === 'bashExecution' || BEGINNING_TYPES.has(entry.type)
}

/** The roles of messages with which a kept region may begin (planning rule 4). */
const CUTTABLE_ROLES: ReadonlySet<Message['role']> = new Set([
  'user',
  'assistant',
  'bashExecution',
  'custom',
  'branchSummary',
  'compactionSummary',
])

/**
 * Returns where the considered region may be cut: before a message that may begin the kept region, and only where no
 * tool result at or after the cut answers a call before it (planning rule 4).
 * @returns indexes into the branch, ascending
 */
export function findValidCutPoints(region: Region): number[] {
  const { branch, start } = region
  const openings = countOpenings(region)
  const points: number[] = []
  let open = 0
  for (let index = region.playStart; index < branch.length; index++) {
    open += openings[index] ?? 0
    const message = branch[index]?.message
    if (index >= start && open === 0 && message !== undefined && CUTTABLE_ROLES.has(message.role)) points.push(index)
  }
  return points
}

/**
 * Returns, for each index, how many calls begin to wait for their result there, minus how many stop waiting: the sum up
 * to an index is the number of results that a cut there would separate from their calls. A result answers the nearest
 * earlier call with its id, since ids may be used again; a result without a call in play is not counted.
 */
function countOpenings({ branch, playStart }: Region): Int32Array {
  const openings = new Int32Array(branch.length + 1)
  const change = (index: number, by: number): void => {
    openings[index] = (openings[index] ?? 0) + by
  }
  const lastCall = new Map<string, number>()
  for (let index = playStart; index < branch.length; index++) {
    const message = branch[index]?.message
    if (message === undefined) continue
    for (const { id } of toolCallsOf(message)) lastCall.set(id, index)
    const call = message.role === 'toolResult' ? lastCall.get(message.toolCallId) : undefined
    if (call === undefined) continue
    change(call + 1, 1)
    change(index + 1, -1)
  }
  return openings
}
