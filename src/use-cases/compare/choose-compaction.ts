import { Problem } from '../../errors.ts'
import type { Entry } from '../../session/entry.ts'
import { readCompactions, type ReadableCompaction } from '../shared/readable-compactions.ts'

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
