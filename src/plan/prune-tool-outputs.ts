import type { Entry } from '../session/entry.ts'
import type { ToolResultMessage } from '../session/message.ts'
import type { Steps } from '../steps.ts'
import { estimateMessageTokens, estimateTextTokens } from './estimate-tokens.ts'
import { findRegion } from './find-region.ts'
import { findSupersededReads } from './find-superseded-reads.ts'

export interface PruneSettings {
  /** Newest tokens of tool output that stay. */
  protectTokens?: number
  /** Pruning that saves less than this is not worth a cold prompt cache. */
  minimumSavings?: number
  /** Tools whose output stays; naming `read` here also keeps superseded reads. */
  protectedTools?: readonly string[]
}

/** The defaults of docs/contract.md. */
export const DEFAULT_PRUNE = {
  protectTokens: 40_000,
  minimumSavings: 20_000,
  protectedTools: ['skill', 'read'],
} as const

/** Smaller outputs gain next to nothing: the notice has some tokens itself. */
const MIN_OUTPUT_TOKENS = 50

/** What pruning does, as data. */
export interface PrunePlan {
  /** Oldest first; `tokens` is what the output had. */
  pruned: { entry: Entry; tokens: number }[]
  /** What the context loses, the notices counted. */
  tokensSaved: number
}

interface Output {
  entry: Entry
  message: ToolResultMessage
  tokens: number
  /** Tokens of the tool outputs after it. */
  newerTokens: number
}

/**
 * Plans which tool outputs of the current context are taken out (docs/contract.md, `/prune`): old ones beyond the newest
 * `protectTokens`, and at any age a read that a later read of the whole file has superseded. An output a step.
 * @param branch the active branch, oldest entry first
 * @returns an empty plan where less than `minimumSavings` could be saved in all
 */
export function* pruneToolOutputs(branch: readonly Entry[], settings: PruneSettings = {}): Steps<PrunePlan> {
  const { protectTokens, minimumSavings, protectedTools } = { ...DEFAULT_PRUNE, ...settings }
  const context = branch.slice(findRegion(branch).start)
  const keepsReads = settings.protectedTools?.includes('read') === true
  const superseded = keepsReads ? new Set<Entry>() : findSupersededReads(context)
  const outputs = yield* listOutputs(context)
  const pruned = outputs.filter(({ entry, message, tokens, newerTokens }) => {
    if (message.isPruned || tokens < MIN_OUTPUT_TOKENS) return false
    const isOld = newerTokens >= protectTokens && !protectedTools.some((tool) => tool === message.toolName)
    return isOld || superseded.has(entry)
  })
  const tokensSaved = pruned.reduce((sum, { tokens }) => sum + tokens - estimateTextTokens(pruneNotice(tokens)), 0)
  return pruned.length === 0 || tokensSaved < minimumSavings ? { pruned: [], tokensSaved: 0 } : { pruned, tokensSaved }
}

/** What stands in the place of an output (docs/contract.md, `/prune`). */
export const pruneNotice = (tokens: number): string => `[Output truncated - ${tokens} tokens]`

/** The tool outputs of a context, oldest first. */
function* listOutputs(context: readonly Entry[]): Steps<Output[]> {
  const outputs: Output[] = []
  let newerTokens = 0
  for (const entry of context.toReversed()) {
    if (entry.message?.role !== 'toolResult') continue
    const tokens = estimateMessageTokens(entry.message)
    outputs.push({ entry, message: entry.message, tokens, newerTokens })
    newerTokens += tokens
    yield
  }
  return outputs.reverse()
}
