import type { OpenAI } from 'openai'
import type { SingleFlight } from '../sharing/single-flight.ts'
import type { ModelObserver } from '../observer.ts'
import type { CallBudget, Tally } from '../summarizer.ts'
import type { StartTimer } from '../../runtime/abort.ts'
import type { ParameterSupport } from './parameter-support.ts'
import type { Failure } from './failure.ts'
import type { LearnedWindows } from './learned-windows.ts'

/** What context needs, for the process's lifetime. Time and chance come in here, so that tests need neither. */
export interface CallDeps {
  client: OpenAI
  reasoningEffort: string | undefined
  /** The cap: what a reasoning model gets that spent a lower limit thinking. */
  maxSummaryTokens: number
  /** Appended to the prompt after an answer that was too long. */
  brevityDemand: string
  /** What servers have told of their candidates, by model name. */
  parameterSupport: Map<string, ParameterSupport>
  windows: LearnedWindows
  /** Runs a call when its owner's turn has come; throws the signal's reason when that aborts before it began. */
  limit: <T>(call: () => Promise<T>, turn: { signal: AbortSignal; owner: object }) => Promise<T>
  /** Answers to equal tasks are asked for once. */
  share: SingleFlight<Answered[]>
  /** What equal tasks of several services must have in common to be shared: models, server, rules. */
  cacheNamespace: string
  /** Replaces secrets in what a model wrote. */
  redact: (text: string) => { text: string; redactions: number }
  /** Waits so many milliseconds; throws the signal's reason when that aborts first. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  startTimer: StartTimer
  observer: ModelObserver
  /** At least 0 and under 1. */
  random: () => number
  /** Milliseconds since the epoch. */
  now: () => number
}

/** One task's context. */
export interface CallContext extends CallDeps {
  budget: CallBudget
  /** Counts calls and tokens over all candidates, failed calls included. */
  tally: Tally
  /** Aborted once a part has failed for good: no further call is begun then. */
  failed: AbortController
}

/** A checked answer to one prompt, and who gave it. */
export interface Answered {
  text: string
  model: string
}

export type Answer = { ok: true; text: string } | { ok: false; failure: Failure }
