import type { Entry } from '../session/entry.ts'
import { wrapCompactionSummary } from '../session/message-text.ts'
import type { Message, Usage } from '../session/message.ts'
import { estimateTextTokens, estimateMessageTokens } from '../tokens/estimate-tokens.ts'
import { isNewerThan, prunedTokensSince, prunedUnknown } from './pruned-tokens.ts'
import { findRegion, readableCompaction, type Region } from './region.ts'

/** The size of a context, in tokens. */
interface ContextSize {
  /** The previous summary, the messages, and what is outside them. */
  total: number
  /** The previous summary, as `/context` writes it; 0 without one. */
  previousSummary: number
  /** The tokens that a provider has counted beyond the estimate: system prompt and tools. 0 without usage. */
  outside: number
  /** The tokens that were outside before the latest compaction, which does not change them; only if no usage is newer. */
  lastOutside?: number
}

/**
 * Returns an estimate of the context before the message at an index: the previous summary as `/context` writes it, and
 * the considered messages up to the index (planning rules 6 and 10).
 */
export function estimateContextUpTo(index: number, { previous, start }: Region, tokens: TokensBetween): number {
  return estimatePrevious(previous) + tokens(start, index)
}

const estimatePrevious = (previous: Region['previous']): number =>
  previous === undefined ? 0 : estimateSummary(previous.fullSummary)

/** Returns an estimate of a summary in a context, with the words around it: as `/context` writes it. */
export const estimateSummary = (summary: string): number => estimateTextTokens(wrapCompactionSummary(summary))

/**
 * Returns the size of the context now: the larger of the estimate of what `/context` returns, and the newest usage that
 * a provider reported plus the estimate of the messages after it (planning rule 10).
 */
export function measureContext(region: Region, tokens: TokensBetween): ContextSize {
  const end = region.branch.length
  const previousSummary = estimatePrevious(region.previous)
  const estimated = previousSummary + tokens(region.start, end)
  const newest = findNewestUsage(region)
  const measured =
    newest && Math.ceil(contextTokensOf(newest.usage)) - newest.prunedTokens + tokens(newest.index + 1, end)
  const total = Math.max(estimated, measured ?? 0)
  const outside = total - estimated
  const lastOutside = newest === undefined ? outsideBefore(region) : undefined
  return { total, previousSummary, outside, ...(lastOutside !== undefined && { lastOutside }) }
}

/** Returns what was outside before the first compaction that is newer than the newest usage. */
function outsideBefore({ branch, playStart }: Region): number | undefined {
  for (let index = branch.length - 1; index >= playStart; index--) {
    const message = withKeptUsage(branch[index]?.message)
    if (validUsage(message) === undefined) continue
    const answered = beforeCompactions(branch.slice(0, index + 1), playStart)
    if (answered === undefined) return undefined
    const before = findRegion(answered)
    return measureContext(before, sumTokens(before)).outside
  }
  return undefined
}

const withKeptUsage = (message: Message | undefined): Message | undefined =>
  message?.role === 'assistant' && message.keptUsage !== undefined
    ? { ...message, usage: message.keptUsage.usage }
    : message

/**
 * Returns a branch as it was when its last entry, an answer, was written: without the compactions that have kept the answer.
 * @returns undefined if the messages that they have covered are not in the session any more
 */
function beforeCompactions(branch: readonly Entry[], playStart: number): readonly Entry[] | undefined {
  const answer = branch.at(-1)
  const message = answer?.message
  if (message?.role !== 'assistant' || message.keptUsage === undefined) return branch
  const compactions = branch.flatMap((entry, index) => (readableCompaction(entry) === undefined ? [] : index))
  const newer = new Set(compactions.slice(-message.keptUsage.compactions))
  const [first = 0] = newer
  if (!branch.slice(playStart, first).some(isOfConversation)) return undefined
  const earlier = branch.slice(0, -1).filter((_, index) => !newer.has(index))
  return [...earlier, { ...(answer as Entry), message: { ...message, usage: message.keptUsage.usage } }]
}

const isOfConversation = (entry: Entry): boolean =>
  readableCompaction(entry) !== undefined || entry.message?.role === 'user' || entry.message?.role === 'assistant'

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
