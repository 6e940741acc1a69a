import { filesOf, pairCalls, type ToolRun } from '../extract/runs.ts'
import { readUserAnswers } from '../extract/user-text.ts'
import { isWholeRead, normalizePath } from '../files/paths.ts'
import type { Entry } from '../session/entry.ts'
import { pruneNotice } from '../session/message-text.ts'
import type { ToolResultMessage } from '../session/message.ts'
import { estimateMessageTokens, estimateTextTokens } from '../tokens/estimate-tokens.ts'
import { findRegion } from './region.ts'

export interface PruneSettings {
  /** This many of the newest tokens of tool output stay. */
  protectTokens?: number
  /** Pruning that saves fewer tokens is not worth the loss of the prompt cache. */
  minimumSavings?: number
  /** Tools whose output stays; with `read`, superseded reads stay too. */
  protectedTools?: readonly string[]
}

/** The defaults of openapi.yaml. */
export const DEFAULT_PRUNE = {
  protectTokens: 40_000,
  minimumSavings: 20_000,
  protectedTools: ['skill', 'read'],
} as const

/** Smaller outputs stay: the notice has nearly as many tokens. */
const MIN_OUTPUT_TOKENS = 50

/** The outputs to prune, as data. */
export interface PrunePlan {
  /** Oldest first, with the tokens of each output. */
  pruned: { entry: Entry; tokens: number }[]
  /** The tokens of the pruned outputs, minus those of the notices. */
  tokensSaved: number
  /** The tokens that could be saved in all, if no newest output had to stay. */
  mostTokensSaved: number
}

interface Output {
  entry: Entry
  message: ToolResultMessage
  tokens: number
  /** Tokens of the tool outputs after it. */
  newerTokens: number
}

/**
 * Plans which tool outputs of the current context are removed (openapi.yaml, `/prune`): those older than the newest
 * `protectTokens`, and reads of any age that a later read of the whole file has superseded.
 * @param branch the active branch, oldest entry first
 * @returns an empty plan where less than `minimumSavings` could be saved in all
 */
export function pruneToolOutputs(branch: readonly Entry[], settings: PruneSettings = {}): PrunePlan {
  const { protectTokens, minimumSavings, protectedTools } = { ...DEFAULT_PRUNE, ...settings }
  const context = branch.slice(findRegion(branch).start)
  const keepsReads = settings.protectedTools?.includes('read') === true
  const superseded = keepsReads ? new Set<Entry>() : findSupersededReads(context)
  const outputs = listOutputs(context)
  const prunable = outputs.filter(({ entry, message, tokens }) => {
    if (message.isPruned || tokens < MIN_OUTPUT_TOKENS) return false
    return superseded.has(entry) || !protectedTools.some((tool) => tool === message.toolName)
  })
  const pruned = prunable.filter(({ entry, newerTokens }) => superseded.has(entry) || newerTokens >= protectTokens)
  const tokensSaved = tokensSavedBy(pruned)
  const isEnough = pruned.length > 0 && tokensSaved >= minimumSavings
  return { ...(isEnough ? { pruned, tokensSaved } : NOTHING), mostTokensSaved: tokensSavedBy(prunable) }
}

const NOTHING = { pruned: [], tokensSaved: 0 }

/** Returns the tokens of outputs, minus those of the notices in their place. */
export const tokensSavedBy = (pruned: PrunePlan['pruned']): number =>
  pruned.reduce((sum, { tokens }) => sum + tokens - estimateTextTokens(pruneNotice(tokens)), 0)

/** The tool outputs of a context, oldest first. */
function listOutputs(context: readonly Entry[]): Output[] {
  const outputs: Output[] = []
  let newerTokens = 0
  for (const entry of context.toReversed()) {
    if (entry.message?.role !== 'toolResult') continue
    const tokens = estimateMessageTokens(entry.message)
    outputs.push({ entry, message: entry.message, tokens, newerTokens })
    newerTokens += tokens
  }
  return outputs.reverse()
}

/** Whether a result has an output that may be pruned: what the user said in it stays. */
const hasOutput = (message: ToolResultMessage): boolean =>
  !message.isError && !message.isPruned && readUserAnswers(message).length === 0

const pathOf = (run: ToolRun): string | undefined => {
  const [path, ...others] = filesOf(run).readFiles
  // The output of several files is superseded by no read of one of them.
  return path === undefined || others.length > 0 ? undefined : normalizePath(path)
}

/**
 * Returns the results of reads that are superseded: a later read shows the same file whole. A read that failed, or
 * whose result was pruned, supersedes nothing.
 */
function findSupersededReads(context: readonly Entry[]): Set<Entry> {
  const runs = pairCalls(context.flatMap(({ message }) => message ?? []))
  const shownWhole = new Set<string>()
  const superseded = new Set<Entry>()
  for (const entry of context.toReversed()) {
    const { message } = entry
    const run = message?.role === 'toolResult' ? runs.get(message) : undefined
    const path = run && pathOf(run)
    if (message?.role !== 'toolResult' || run?.call === undefined || path === undefined) continue
    if (shownWhole.has(path)) superseded.add(entry)
    else if (isWholeRead(run.call) && hasOutput(message)) shownWhole.add(path)
  }
  return superseded
}
