import { Problem } from '../../errors.ts'
import { readableCompaction } from '../../plan/region.ts'
import { compactionsOf } from '../../recall/compactions.ts'
import type { Entry } from '../../session/entry.ts'
import { isWrittenByPrecis } from '../../summary/compare/written-by-precis.ts'

/** A compaction whose summary can be read. All positions are indexes into the branch. */
export interface ReadableCompaction {
  /** Its number among all compactions of the branch, from 1. */
  number: number
  /** How many there are. */
  of: number
  at: number
  entry: Entry
  summary: string
  /** The first message that it has kept; `at` if it has kept none. */
  keptFrom: number
  isOwn: boolean
}

/**
 * Returns the compaction with a number, or else the newest one that this service has not written.
 * @throws Problem `nothing-to-compare`, `invalid-request`
 */
export function chooseCompaction(
  branch: readonly Entry[],
  number: number | undefined,
  refuse: (detail: string) => Problem,
): ReadableCompaction {
  const all = readCompactions(branch)
  if (all.length === 0) throw nothingToCompare(NO_COMPACTION)
  if (number !== undefined && number > all.length)
    throw refuse(`must be at most ${all.length}: the session has no more compactions`)
  const chosen = number === undefined ? newestOfAgent(all) : all[number - 1]
  if (chosen === undefined) throw nothingToCompare(encryptedBecause(all))
  return chosen
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

/** Encrypted compactions are not skipped: an older summary would be taken for the newest one. */
function newestOfAgent(all: readonly (ReadableCompaction | undefined)[]): ReadableCompaction | undefined {
  if (all.every((one) => one?.isOwn === true)) throw nothingToCompare(ONLY_OWN)
  return all.findLast((one) => one?.isOwn !== true)
}

export const nothingToCompare = (detail: string): Problem => new Problem('nothing-to-compare', detail)

const NO_COMPACTION =
  'The agent has not compacted this session yet, so there is no summary to compare with. POST it to /compaction for a summary.'

const ONLY_OWN =
  'All compactions of this session were written by Précis. Name one with `compaction` to compare it all the same.'

function encryptedBecause(all: readonly (ReadableCompaction | undefined)[]): string {
  const readable = all.findLast((one) => one !== undefined)
  const other =
    readable === undefined ? '' : ` Number ${readable.number} can be compared: \`compaction=${readable.number}\`.`
  return `The summary of this compaction cannot be read: it is encrypted, as those of Codex with a model of OpenAI are, and only the provider can decrypt it.${other}`
}
