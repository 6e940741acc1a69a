import type { Message, Usage } from '../session/message.ts'
import type { Region } from './find-region.ts'

/** Calls that did not come to their end report what does not tell the context's size. */
const BROKEN_OFF = new Set(['error', 'aborted'])

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

/** The size of the prompt that was sent. */
export const promptTokensOf = ({ input, cacheRead, cacheWrite }: Usage): number => input + cacheRead + cacheWrite

/** The size of the context once the answer had joined it: `totalTokens`, else the sum of the counts. */
export function contextTokensOf(usage: Usage): number {
  const { output, totalTokens = 0 } = usage
  return totalTokens > 0 ? totalTokens : promptTokensOf(usage) + output
}

function validUsage(message: Message | undefined): Usage | undefined {
  if (message?.role !== 'assistant' || BROKEN_OFF.has(message.stopReason ?? '')) return undefined
  return message.usage !== undefined && contextTokensOf(message.usage) > 0 ? message.usage : undefined
}
