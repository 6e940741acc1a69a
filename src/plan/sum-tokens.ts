import { estimateMessageTokens } from './estimate-tokens.ts'
import type { Region } from './find-region.ts'

/** Our estimate of the considered messages from the index `from` up to, but not with, the index `to`. */
export type SpanTokens = (from: number, to: number) => number

/**
 * Estimates each considered message at most once, from the newest back and no further than was asked for: where the
 * branch is cut is decided near its end.
 */
export function sumTokens({ branch, start }: Region): SpanTokens {
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
