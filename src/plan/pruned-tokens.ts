import type { Entry } from '../session/entry.ts'
import { readPruneNotice } from '../session/message-text.ts'
import { textOf, type Message, type ToolResultMessage } from '../session/message.ts'
import { estimateMessageTokens } from '../tokens/estimate-tokens.ts'

/** When an answer was written; -Infinity if that is unknown: only an answer that is known to be newer knows nothing of what was pruned. */
const timeOf = (message: Message | undefined): number =>
  (message?.role === 'assistant' ? message.timestamp : undefined) ?? -Infinity

/** Returns whether the usage of an answer is of use though results before it were pruned, the last one at a time. */
export const isNewerThan = (prunedAt: number, answer: Message | undefined): boolean =>
  prunedAt === -Infinity || timeOf(answer) > prunedAt

/** Returns when a result was pruned of which nobody knows how large it was; -Infinity for other results. */
export const prunedUnknown = (result: ToolResultMessage): number =>
  result.prunedAt !== undefined && removedFrom(result) === undefined ? result.prunedAt : -Infinity

/** Returns how many tokens of the results before an answer were pruned later than it was written, by our estimate. */
export function prunedTokensSince(branch: readonly Entry[], start: number, index: number): number {
  const answer = branch[index]?.message
  let tokens = 0
  for (const { message } of branch.slice(start, index))
    if (message?.role === 'toolResult' && message.prunedAt !== undefined && !isNewerThan(message.prunedAt, answer))
      tokens += removedFrom(message) ?? 0
  return tokens
}

function removedFrom(result: ToolResultMessage): number | undefined {
  const before = readPruneNotice(textOf(result.content))
  return before === undefined ? undefined : Math.max(0, before - estimateMessageTokens(result))
}
