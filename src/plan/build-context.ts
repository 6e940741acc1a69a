import { compactionMessage, contextMessage, type ContextMessage } from '../session/context-message.ts'
import type { Entry } from '../session/entry.ts'
import { findRegion } from './find-region.ts'

/**
 * Builds what a model sees now: the latest compaction's summary, the region that it kept, and what came after, one
 * message an entry (docs/contract.md, `/context`; planning rules 1 to 3).
 * @param branch the active branch, oldest entry first
 */
export function buildContext(branch: readonly Entry[]): ContextMessage[] {
  const { start, previous } = findRegion(branch)
  const messages = branch.slice(start).flatMap((entry) => contextMessage(entry) ?? [])
  return previous === undefined ? messages : [compactionMessage(previous.fullSummary), ...messages]
}
