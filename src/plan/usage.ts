import type { Message, Usage } from '../session/message.ts'
import { isNewerThan, prunedTokensSince, prunedUnknown } from './pruned-tokens.ts'
import type { Region } from './region.ts'

/** Stop reasons of calls that did not finish: their usage is not the size of the context. */
const UNFINISHED = new Set(['error', 'aborted'])

/** Returns the tokens of the prompt that a provider reports for a call, cached ones included. */
export const usagePromptTokens = ({ input, cacheRead, cacheWrite }: Usage): number => input + cacheRead + cacheWrite

/** Returns the newest usage that is valid for the present context (planning rules 6 and 10). */
export function findNewestUsage(region: Region): FoundUsage | undefined {
  let newest: PlacedUsage | undefined
  for (const one of usagesIn(region)) newest = one
  return newest && withPruned(region, newest)
}

/** Returns the first such usage that has the tokens of a prompt (planning rule 6). */
export function findFirstPromptUsage(region: Region): FoundUsage | undefined {
  for (const one of usagesIn(region)) if (usagePromptTokens(one.usage) > 0) return withPruned(region, one)
  return undefined
}

const withPruned = ({ branch, start }: Region, found: PlacedUsage): FoundUsage => ({
  ...found,
  prunedTokens: prunedTokensSince(branch, start, found.index),
})

/**
 * Yields the usages that are valid for the present context, oldest first: each belongs to an assistant message after the latest
 * compaction and reset that did not fail and was not aborted, it is not zero, and what was pruned since is known.
 */
function* usagesIn(region: Region): Generator<PlacedUsage> {
  const from = usageStart(region)
  let unknownAt = -Infinity
  for (let index = region.start; index < region.branch.length; index++) {
    const message = region.branch[index]?.message
    if (message?.role === 'toolResult') unknownAt = Math.max(unknownAt, prunedUnknown(message))
    const usage = index < from ? undefined : validUsage(message)
    if (usage !== undefined && isNewerThan(unknownAt, message)) yield { usage, index }
  }
}

/** A usage, and the index of its message on the branch. */
interface PlacedUsage {
  usage: Usage
  index: number
}

interface FoundUsage extends PlacedUsage {
  /** The tokens of its context that were pruned later, by our estimate. */
  prunedTokens: number
}

/** Returns where the messages begin whose usage is that of the present context. */
const usageStart = ({ previous, playStart }: Region): number =>
  previous === undefined ? playStart : previous.index + 1

/** Returns the tokens of the context after an answer: `totalTokens`, or the sum of the counts where that is missing. */
export function contextTokensOf(usage: Usage): number {
  const { output, totalTokens = 0 } = usage
  return totalTokens > 0 ? totalTokens : usagePromptTokens(usage) + output
}

/** Returns the usage of an answer that did not fail and was not aborted, if it is not zero. */
export function validUsage(message: Message | undefined): Usage | undefined {
  if (message?.role !== 'assistant' || UNFINISHED.has(message.stopReason ?? '')) return undefined
  return message.usage !== undefined && contextTokensOf(message.usage) > 0 ? message.usage : undefined
}
