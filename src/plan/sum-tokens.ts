import { estimateMessageTokens } from './estimate-tokens.ts'
import type { Region } from './find-region.ts'

/** Our estimate of the considered messages from the index `from` up to, but not with, the index `to`. */
export type SpanTokens = (from: number, to: number) => number

/** Estimates each considered message once, so that every span's tokens can be told without another look. */
export function sumTokens({ branch, start }: Region): SpanTokens {
  const sums = new Float64Array(branch.length - start + 1)
  for (let index = start; index < branch.length; index++) {
    const message = branch[index]?.message
    sums[index - start + 1] = (sums[index - start] ?? 0) + (message === undefined ? 0 : estimateMessageTokens(message))
  }
  return (from, to) => (sums[to - start] ?? 0) - (sums[from - start] ?? 0)
}
