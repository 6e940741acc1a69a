import type { FailureKind } from './openai/failure.ts'
import type { CompletionUsage } from './openai/read-completion.ts'
import type { Sharing } from './sharing/single-flight.ts'

/**
 * How a call ended: a summary, a failure, a parameter that its server does not support, or `aborted` because no client
 * was waiting for it any more.
 */
type CallOutcome = 'ok' | FailureKind | 'parameter-refused' | 'aborted'

export interface CallRecord {
  /** Request headers that connect the server's trace with ours. */
  headers: Record<string, string>
  end: (outcome: CallOutcome, usage?: CompletionUsage) => void
}

/** Receives the events of the summarizer for metrics and traces: names, counts and times, never content. */
export interface ModelObserver {
  callStarted: (model: string) => CallRecord
  callRetried: (model: string) => void
  /** Receives the result of a lookup of shared work, or `error` when the store cannot be reached. */
  lookedUp: (result: Sharing | 'error') => void
  /** Registers a function that returns how many results are cached in this process. */
  watchCacheSize: (count: () => number) => void
}

/** An observer that ignores all events. */
export const UNOBSERVED: ModelObserver = {
  callStarted: () => ({ headers: {}, end: () => undefined }),
  callRetried: () => undefined,
  lookedUp: () => undefined,
  watchCacheSize: () => undefined,
}
