import type { Entry } from '../session/entry.ts'
import type { AssistantMessage } from '../session/message.ts'
import { computeThreshold } from './compute-threshold.ts'
import { findRegion } from './find-region.ts'
import { isContextOverflow } from './is-context-overflow.ts'
import type { CompactionPlan } from './plan-compaction.ts'
import { DEFAULT_SETTINGS, type CompactionSettings } from './settings.ts'
import { usesModelOf } from './uses-model-of.ts'

export type Reason = 'overflow' | 'incomplete' | 'threshold' | 'idle' | 'below-threshold' | 'nothing-to-compact'

/** What an agent should do now, and why. */
export interface Decision {
  action: 'none' | 'prune' | 'compact'
  reason: Reason
  /** Null where neither a window nor a threshold is known. */
  thresholdTokens: number | null
}

interface Situation {
  branch: readonly Entry[]
  plan: CompactionPlan
  settings: CompactionSettings
  /** True where the agent says that its session lies idle. */
  isIdle: boolean
  /** What `/prune` would save. */
  prunableTokens: number
}

/** Decides what an agent should do with its context now (planning rule 11). */
export function decideAction(situation: Situation): Decision {
  const thresholdTokens = computeThreshold(situation.settings)
  const reason = findReason(situation, thresholdTokens)
  return { action: actionFor(reason, situation, thresholdTokens), reason, thresholdTokens }
}

/** The first that applies. */
function findReason({ branch, plan, settings, isIdle }: Situation, thresholdTokens: number | null): Reason {
  const { tokensBefore } = plan
  const { idleThresholdTokens = DEFAULT_SETTINGS.idleThresholdTokens } = settings
  const last = findLastAnswer(branch)
  if (plan.cut === null) return 'nothing-to-compact'
  if (last?.stopReason === 'error' && isContextOverflow(last.errorMessage ?? '')) return 'overflow'
  if (last?.stopReason === 'length') return 'incomplete'
  if (thresholdTokens !== null && tokensBefore > thresholdTokens) return 'threshold'
  return isIdle && tokensBefore > idleThresholdTokens ? 'idle' : 'below-threshold'
}

/** The last message, where it is an assistant's, newer than the last compaction, and of the model still in use. */
function findLastAnswer(branch: readonly Entry[]): AssistantMessage | undefined {
  const { previous, playStart } = findRegion(branch)
  const index = branch.findLastIndex(({ message }) => message !== undefined)
  const message = branch[index]?.message
  if (message?.role !== 'assistant' || index < playStart || index < (previous?.index ?? 0)) return undefined
  return usesModelOf(message, branch.slice(index + 1)) ? message : undefined
}

function actionFor(reason: Reason, { plan, prunableTokens }: Situation, thresholdTokens: number | null) {
  if (reason === 'nothing-to-compact' || reason === 'below-threshold') return 'none'
  const pruningIsEnough = prunableTokens > 0 && plan.tokensBefore - prunableTokens <= (thresholdTokens ?? 0)
  return reason === 'threshold' && pruningIsEnough ? 'prune' : 'compact'
}
