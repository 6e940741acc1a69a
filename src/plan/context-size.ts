import type { Entry } from '../session/entry.ts'
import { wrapCompactionSummary } from '../session/message-text.ts'
import type { Message, Usage } from '../session/message.ts'
import { defined } from '../text/defined.ts'
import { estimateMessageTokens, estimateTextTokens } from '../tokens/estimate-tokens.ts'
import { isNewerThan, prunedTokensSince, prunedUnknown } from './pruned-tokens.ts'
import { findRegion, readableCompaction, type Region } from './region.ts'

interface ContextSize {
  /** The previous summary, the messages, and what is outside them. */
  total: number
  /** The previous summary, as `/context` writes it; 0 without one. */
  previousSummary: number
  /** The tokens that a provider has counted beyond the estimate: system prompt and tools. 0 without usage. */
  outside: number
  /** About how many there will be since the latest compaction; only if no usage is newer. */
  lastOutside?: number
  /** The newest usage, also if a compaction is newer. */
  providerCount?: ProviderCount
}

/**
 * Returns an estimate of the context before the message at an index: the previous summary as `/context` writes it, and
 * the considered messages up to the index (planning rules 6 and 10).
 */
function estimateContextUpTo(index: number, { previous, start }: Region, tokens: TokensBetween): number {
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
  const previousSummary = estimatePrevious(region.previous)
  const estimated = estimateContextUpTo(region.branch.length, region, tokens)
  const newest = countNewest(region, tokens)
  const outside = newest?.outside ?? 0
  const before = newest === undefined ? countBefore(region) : undefined
  return {
    ...{ total: estimated + outside, previousSummary, outside },
    ...(before !== undefined && { lastOutside: outsideWith(before, estimated) }),
    ...defined({ providerCount: newest ?? before }),
  }
}

/** What a provider has counted for a context, beside our estimate of the same. */
export interface ProviderCount {
  /** The estimate of the messages up to an answer with usage. */
  messages: number
  /** The tokens that the provider has counted beyond it. */
  outside: number
  /** The tokens that the provider counts for each token of our estimate. */
  ratio: number
}

/** Returns the tokens beyond the estimate once the context has another size: each replaced token takes with it what it had beyond (rule 10). */
export const outsideWith = ({ messages, outside, ratio }: ProviderCount, estimated: number): number =>
  Math.max(0, Math.round(outside + (ratio - 1) * (estimated - messages)))

function countNewest(region: Region, tokens: TokensBetween): ProviderCount | undefined {
  const newest = findNewestUsage(region)
  if (newest === undefined) return undefined
  const messages = estimateContextUpTo(newest.index + 1, region, tokens)
  const outside = Math.max(0, Math.ceil(contextTokensOf(newest.usage)) - newest.prunedTokens - messages)
  return { messages, outside, ratio: measureProvider(region, tokens).ratio }
}

/**
 * The largest ratio that is believed. Our estimate has one token for about four bytes of text, so a provider that counts four
 * tokens for it would count each byte; more than that is not the count of these messages.
 */
const MAX_RATIO = 4

interface Provider {
  /** The tokens that it counts for each token of our estimate. */
  ratio: number
  /** Those that it has counted outside the messages (system prompt, tools) at the first answer. */
  outsideTokens: number
}

/**
 * Returns how many tokens the provider counts for each token of our estimate. The first answer shows what is outside the
 * messages, and the newest one what the messages have grown by (planning rule 6).
 * @returns a ratio of 1 to 4; 1 without usage, or with the usage of only one answer, which does not show how the two differ
 */
export function measureProvider(region: Region, tokens: TokensBetween): Provider {
  const [first, newest] = [findFirstPromptUsage(region), findNewestUsage(region)]
  if (first === undefined || newest === undefined) return { ratio: 1, outsideTokens: 0 }
  const estimateBefore = (index: number): number => estimateContextUpTo(index, region, tokens)
  const outsideTokens = Math.max(0, usagePromptTokens(first.usage) - estimateBefore(first.index) - first.prunedTokens)
  const estimated = estimateBefore(newest.index) + newest.prunedTokens
  const measured = usagePromptTokens(newest.usage) - outsideTokens
  return { ratio: measured > estimated ? Math.min(MAX_RATIO, measured / estimated) : 1, outsideTokens }
}

/** Returns what a provider has counted before the first compaction that is newer than the newest usage. */
function countBefore({ branch, playStart }: Region): ProviderCount | undefined {
  for (let index = branch.length - 1; index >= playStart; index--) {
    const message = withKeptUsage(branch[index]?.message)
    if (validUsage(message) === undefined) continue
    const answered = beforeCompactions(branch.slice(0, index + 1), playStart)
    if (answered === undefined) return undefined
    const before = findRegion(answered)
    return countNewest(before, sumTokens(before))
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

/** Stop reasons of calls that did not finish: their usage is not the size of the context. */
const UNFINISHED = new Set(['error', 'aborted'])

/** Returns the tokens of the prompt that a provider reports for a call, cached ones included. */
const usagePromptTokens = ({ input, cacheRead, cacheWrite }: Usage): number => input + cacheRead + cacheWrite

/** Returns the newest usage that is valid for the present context (planning rules 6 and 10). */
export function findNewestUsage(region: Region): FoundUsage | undefined {
  let newest: PlacedUsage | undefined
  for (const one of usagesIn(region)) newest = one
  return newest && withPruned(region, newest)
}

/** Returns the first such usage that has the tokens of a prompt (planning rule 6). */
function findFirstPromptUsage(region: Region): FoundUsage | undefined {
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
function validUsage(message: Message | undefined): Usage | undefined {
  if (message?.role !== 'assistant' || UNFINISHED.has(message.stopReason ?? '')) return undefined
  return message.usage !== undefined && contextTokensOf(message.usage) > 0 ? message.usage : undefined
}
