import type { Admission, OnRefused } from '../http/admission.ts'
import { windowLimitOf, type Summarizer } from '../model/summarizer.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { Prompts } from '../prompt/load-prompts.ts'
import type { StartTimer } from '../runtime/abort.ts'
import type { SharedMemory } from '../runtime/redis.ts'
import { workSettingsOf, type Settings } from '../settings.ts'
import type { Background } from './background.ts'
import type { HookRunner } from './hook-runner.ts'
import type { JobRunner } from './job-runner.ts'
import type { WorkContext } from './protocol.ts'

/** The settings of the service, and all that lives as long as it does. */
export interface Services {
  readonly settings: Settings
  readonly prompts: Prompts
  readonly summarizer: Summarizer
  readonly jobs: JobRunner
  /** The operator's hooks, if there are any. */
  readonly hooks?: HookRunner | undefined
  /** The Redis connection, if replicas share one. */
  readonly shared?: SharedMemory | undefined
  readonly admission: Admission
  /** The summaries that are written for later requests. */
  readonly background: Background
  readonly onRefused: OnRefused
  readonly metrics: Metrics
  /** The session that the page opens by itself: that of `precis compact --open`. */
  readonly sessionForPage?: SessionForPage | undefined
  /** Starts timers; default: real ones. */
  readonly startTimer?: StartTimer | undefined
}

export interface SessionForPage {
  name: string
  document: Buffer
}

/** Returns what the work of a request needs to know of the service. @param nowMs milliseconds since the epoch */
export function workContextOf(
  { settings, prompts, summarizer, hooks }: Pick<Services, 'settings' | 'prompts' | 'summarizer' | 'hooks'>,
  nowMs: number,
): WorkContext {
  return {
    ...workSettingsOf(settings),
    ...prompts,
    summarizerWindow: summarizer.windowTokens(),
    windowLimitTokens: windowLimitOf(summarizer),
    hooks: hooks?.names,
    nowMs,
  }
}
