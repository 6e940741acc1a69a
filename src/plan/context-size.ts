import { wrapCompactionSummary } from '../session/message-text.ts'
import { estimateTextTokens, estimateMessageTokens } from '../tokens/estimate-tokens.ts'
import type { Region } from './region.ts'
import type { Message, Usage } from '../session/message.ts'

/**
 * Estimates what a model saw before the message at an index: the previous summary as `/context` writes it, and the
 * considered messages before it (planning rules 6 and 10).
 */
export function estimateContextUpTo(index: number, { previous, start }: Region, tokens: TokensBetween): number {
  const summary = previous === undefined ? 0 : estimateTextTokens(wrapCompactionSummary(previous.fullSummary))
  return summary + tokens(start, index)
}

/**
 * Measures the context as it is now: the larger of our estimate of what `/context` returns, and the newest usage that a
 * provider reported plus our estimate of what follows it (planning rule 10).
 * @returns tokens, an integer
 */
export function measureContext(region: Region, tokens: TokensBetween): number {
  const end = region.branch.length
  const estimated = estimateContextUpTo(end, region, tokens)
  const newest = findNewestUsage(region)
  if (newest === undefined) return estimated
  return Math.max(estimated, Math.ceil(contextTokensOf(newest.usage)) + tokens(newest.index + 1, end))
}

/** Calls that did not come to their end report what does not tell the context's size. */
const BROKEN_OFF = new Set(['error', 'aborted'])

/** The size of the prompt that was sent. */
export const usagePromptTokens = ({ input, cacheRead, cacheWrite }: Usage): number => input + cacheRead + cacheWrite

/**
 * Finds the newest usage that tells of the context as it is now: an assistant message's after the latest compaction and
 * reset that is not an error or aborted and reports some (planning rules 6 and 10).
 * @returns the usage and the message's index on the branch
 */
export function findNewestUsage({ branch, playStart, previous }: Region): { usage: Usage; index: number } | undefined {
  for (let index = branch.length - 1; index > (previous?.index ?? playStart - 1); index--) {
    const usage = validUsage(branch[index]?.message)
    if (usage !== undefined) return { usage, index }
  }
  return undefined
}

/** The size of the context once the answer had joined it: `totalTokens`, else the sum of the counts. */
export function contextTokensOf(usage: Usage): number {
  const { output, totalTokens = 0 } = usage
  return totalTokens > 0 ? totalTokens : usagePromptTokens(usage) + output
}

function validUsage(message: Message | undefined): Usage | undefined {
  if (message?.role !== 'assistant' || BROKEN_OFF.has(message.stopReason ?? '')) return undefined
  return message.usage !== undefined && contextTokensOf(message.usage) > 0 ? message.usage : undefined
}

/** Our estimate of the considered messages from the index `from` up to, but not with, the index `to`. */
export type TokensBetween = (from: number, to: number) => number

/**
 * Estimates each considered message at most once, from the newest back and no further than was asked for: where the
 * branch is cut is decided near its end.
 */
export function sumTokens({ branch, start }: Region): TokensBetween {
  const end = branch.length
  /** Tokens from an index to the branch's end, known from `known` on. */
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
