import { isContextOverflow } from '../session/context-overflow.ts'
import type { Entry } from '../session/entry.ts'
import type { AssistantMessage } from '../session/message.ts'
import type { REASONS } from '../text/reasons.ts'
import type { CompactionPlan } from './plan-compaction.ts'
import { findRegion } from './region.ts'
import { computeThreshold, DEFAULT_SETTINGS, type CompactionSettings } from './settings.ts'

type Reason = keyof typeof REASONS

/** The next action of an agent, and the reason. */
interface Decision {
  action: 'none' | 'prepare' | 'prune' | 'compact'
  reason: Reason
  /** Null where neither a context window nor a threshold is known. */
  thresholdTokens: number | null
}

interface Situation {
  branch: readonly Entry[]
  plan: CompactionPlan
  settings: CompactionSettings
  /** True where the agent reports that its session is idle. */
  isIdle: boolean
  /** The tokens that `/prune` would save. */
  prunableTokens: number
  /** Whether a summary can be prepared, and none is that is new enough. */
  isPreparable: boolean
}

/** Returns what an agent should do with its context now (planning rule 11). */
export function decideAction(situation: Situation): Decision {
  const thresholdTokens = computeThreshold(situation.settings)
  const reason = findReason(situation, thresholdTokens)
  return { action: actionFor(reason, situation, thresholdTokens), reason, thresholdTokens }
}

/** Returns the first reason that applies. */
function findReason({ branch, plan, settings, isIdle }: Situation, thresholdTokens: number | null): Reason {
  const { tokensBefore } = plan
  const { idleThresholdTokens = DEFAULT_SETTINGS.idleThresholdTokens } = settings
  const last = findLastAnswer(branch)
  if (plan.cut === null) return 'nothing-to-compact'
  if (last?.stopReason === 'error' && isContextOverflow(last.errorMessage ?? '')) return 'overflow'
  if (last?.stopReason === 'length') return 'incomplete'
  if (thresholdTokens !== null && tokensBefore > thresholdTokens) return 'threshold'
  if (isIdle && tokensBefore > idleThresholdTokens) return 'idle'
  return thresholdTokens === null ? 'no-threshold' : 'below-threshold'
}

/**
 * Returns the last message if it is an assistant's, newer than the last compaction, and from the model still in use.
 */
function findLastAnswer(branch: readonly Entry[]): AssistantMessage | undefined {
  const { previous, playStart } = findRegion(branch)
  const index = branch.findLastIndex(({ message }) => message !== undefined)
  const message = branch[index]?.message
  if (message?.role !== 'assistant' || index < playStart || index < (previous?.index ?? 0)) return undefined
  return usesModelOf(message, branch.slice(index + 1)) ? message : undefined
}

function actionFor(reason: Reason, situation: Situation, thresholdTokens: number | null) {
  const { plan, prunableTokens } = situation
  if (reason === 'below-threshold') return isTimeToPrepare(situation, thresholdTokens) ? 'prepare' : 'none'
  if (reason === 'nothing-to-compact' || reason === 'no-threshold') return 'none'
  const pruningIsEnough = prunableTokens > 0 && plan.tokensBefore - prunableTokens <= (thresholdTokens ?? 0)
  return reason === 'threshold' && pruningIsEnough ? 'prune' : 'compact'
}

const isTimeToPrepare = ({ plan, settings, isPreparable }: Situation, thresholdTokens: number | null): boolean =>
  isPreparable &&
  thresholdTokens !== null &&
  plan.tokensBefore > thresholdTokens * (settings.prepareAt ?? DEFAULT_SETTINGS.prepareAt)

/**
 * Whether a session still uses the model that wrote a message: no later model change names another one. A message
 * without a model counts as written by the current one.
 * @param later the entries after the message
 */
function usesModelOf({ provider, model }: AssistantMessage, later: readonly Entry[]): boolean {
  const change = later.findLast(({ type }) => type === 'model_change')
  if (change === undefined || model === undefined) return true
  return change.selectedModel === model || change.selectedModel === `${provider ?? ''}/${model}`
}
