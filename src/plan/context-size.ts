import { wrapCompactionSummary } from '../session/message-text.ts'
import { estimateTextTokens, estimateMessageTokens } from '../tokens/estimate-tokens.ts'
import type { Region } from './region.ts'
import type { Message, Usage } from '../session/message.ts'

/**
 * Returns an estimate of the context before the message at an index: the previous summary as `/context` writes it, and
 * the considered messages up to the index (planning rules 6 and 10).
 */
export function estimateContextUpTo(index: number, { previous, start }: Region, tokens: TokensBetween): number {
  const summary = previous === undefined ? 0 : estimateTextTokens(wrapCompactionSummary(previous.fullSummary))
  return summary + tokens(start, index)
}

/**
 * Returns the size of the context now: the larger of the estimate of what `/context` returns, and the newest usage that
 * a provider reported plus the estimate of the messages after it (planning rule 10).
 * @returns tokens, an integer
 */
export function measureContext(region: Region, tokens: TokensBetween): number {
  const end = region.branch.length
  const estimated = estimateContextUpTo(end, region, tokens)
  const newest = findNewestUsage(region)
  if (newest === undefined) return estimated
  return Math.max(estimated, Math.ceil(contextTokensOf(newest.usage)) + tokens(newest.index + 1, end))
}

/** Stop reasons of calls that did not finish: their usage is not the size of the context. */
const UNFINISHED = new Set(['error', 'aborted'])

/** Returns the tokens of the prompt that a provider reports for a call, cached ones included. */
export const usagePromptTokens = ({ input, cacheRead, cacheWrite }: Usage): number => input + cacheRead + cacheWrite

/**
 * Returns the newest usage that is valid for the present context: it belongs to an assistant message after the latest
 * compaction and reset that did not fail and was not aborted, and it is not zero (planning rules 6 and 10).
 * @returns the usage and the message's index on the branch
 */
export function findNewestUsage({ branch, playStart, previous }: Region): { usage: Usage; index: number } | undefined {
  for (let index = branch.length - 1; index > (previous?.index ?? playStart - 1); index--) {
    const usage = validUsage(branch[index]?.message)
    if (usage !== undefined) return { usage, index }
  }
  return undefined
}

/** Returns the tokens of the context after an answer: `totalTokens`, or the sum of the counts where that is missing. */
export function contextTokensOf(usage: Usage): number {
  const { output, totalTokens = 0 } = usage
  return totalTokens > 0 ? totalTokens : usagePromptTokens(usage) + output
}

function validUsage(message: Message | undefined): Usage | undefined {
  if (message?.role !== 'assistant' || UNFINISHED.has(message.stopReason ?? '')) return undefined
  return message.usage !== undefined && contextTokensOf(message.usage) > 0 ? message.usage : undefined
}

/** Returns the estimated tokens of the considered messages from the index `from` up to, but not including, `to`. */
export type TokensBetween = (from: number, to: number) => number

/**
 * Returns a function that sums the estimates of considered messages. It estimates each message at most once, from the
 * newest back and only as far as necessary, since the cut is usually near the end of the branch.
 */
export function sumTokens({ branch, start }: Region): TokensBetween {
  const end = branch.length
  /** Tokens from an index to the branch's end, valid from `known` on. */
  const toEnd = new Float64Array(end - start + 1)
  let known = end
  const sumFrom = (from: number): number => {
    for (; known > from; known--) {
      const message = branch[known - 1]?.message
      toEnd[known - 1 - start] =
        (toEnd[known - start] ?? 0) + (message === undefined ? 0 : estimateMessageTokens(message))
    }
    return toEnd[from - start] ?? 0
  }
  return (from, to) => sumFrom(from) - sumFrom(to)
}
