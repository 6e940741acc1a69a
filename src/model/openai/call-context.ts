import type { Candidate } from '../../model-settings.ts'
import type { Split } from '../../prompt/split-conversation.ts'
import type { StartTimer } from '../../runtime/abort.ts'
import type { FairPlaces } from '../../runtime/fair-limit.ts'
import { fieldsOf } from '../../session/entry.ts'
import { hasVisibleWords } from '../../text/visible-words.ts'
import type { ModelObserver } from '../observer.ts'
import type { CachedResult, SingleFlight } from '../sharing/single-flight.ts'
import type { TaskBudget, UnreachableServer } from '../summarizer.ts'
import type { Endpoint } from './endpoint.ts'
import type { Failure } from './failure.ts'
import type { LearnedWindows, Learner } from './learned-facts.ts'
import type { LearnedSupport } from './parameter-support.ts'

/**
 * The dependencies of a task's calls: the server, which all tasks share, and the budget of its request. Time and randomness are
 * passed in, so that tests control them.
 */
export interface CallContext {
  endpointOf: (model: string) => Endpoint
  /** The cap, in tokens: the limit of the next call when a reasoning model has used up a lower one for thinking. */
  maxSummaryTokens: number
  /** Appended to the prompt after a reply that was too long. */
  brevityDemand: string
  support: LearnedSupport
  server: ServerState
  windows: LearnedWindows
  /** Runs a call when it is its caller's turn; throws the signal's reason when that aborts before the call starts. */
  limit: FairPlaces['run']
  /** So many parts of a transcript are worked on at the same time, with the waits between their calls. */
  partsAtOnce: number
  split: Split
  /** Runs equal tasks once. */
  singleFlight: SingleFlight<ModelAnswer[]>
  /** A hash of all that services must have in common to share results: models, server, rules. */
  cacheNamespace: string
  /** Replaces secrets in what a model wrote. */
  redact: (text: string) => { text: string; redactions: number }
  /** Waits; throws the signal's reason when that aborts first. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  startTimer: StartTimer
  observer: ModelObserver
  /** Returns a number from 0 up to, but not including, 1. */
  random: () => number
  /** Returns the time, in milliseconds since the epoch. */
  now: () => number
  budget: TaskBudget
  /** Aborted when a chunk has failed for good: no further call starts then. */
  failed: AbortController
}

/** Returns who learns from a task's failures: its caller, or, if no service tokens are set, the task itself. */
export const learnerOf = ({ budget, failed }: Pick<CallContext, 'budget' | 'failed'>): Learner =>
  budget.tokenDigest || failed

/** A checked answer to one prompt, and the model that wrote it. */
export interface ModelAnswer {
  text: string
  model: string
}

/**
 * Returns a check whether a value from a cache outside of this process is a finished result.
 * @param candidates one of them has written the answers: the name of a model is logged
 */
export function cachedAnswersBy(candidates: readonly Candidate[]) {
  const models = new Set<unknown>(candidates.map(({ model }) => model))
  const isAnswer = (answer: unknown): boolean => {
    const { text, model } = fieldsOf(answer)
    return typeof text === 'string' && hasVisibleWords(text) && models.has(model)
  }
  return (result: unknown): result is CachedResult<ModelAnswer[]> => {
    const { value, redactions } = fieldsOf(result)
    return Array.isArray(value) && value.length > 0 && value.every(isAnswer) && isCount(redactions)
  }
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0

/** The result of one call, or of one candidate's calls. */
export type CallResult = { ok: true; text: string } | { ok: false; failure: Failure }

/** The state of an unreachable server is forgotten after this time: it may have come back, without a call to notice it. */
const FORGET_AFTER_MS = 600_000

/** Remembers whether the last call has reached its model server. */
export class ServerState {
  readonly #now: () => number
  #failed: (UnreachableServer & { atMs: number }) | undefined

  constructor(now: () => number) {
    this.#now = now
  }

  /** @param failure that of the last call; undefined if it had a reply */
  note(host: string, failure?: Failure): void {
    const cause = failure?.unreachable
    this.#failed = cause === undefined ? undefined : { host, cause, atMs: this.#now() }
  }

  /** Returns the server and the cause if the last call did not reach it. */
  unreachable(): UnreachableServer | undefined {
    if (this.#failed === undefined || this.#now() - this.#failed.atMs > FORGET_AFTER_MS) return undefined
    const { host, cause } = this.#failed
    return { host, cause }
  }
}
