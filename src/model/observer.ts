import type { CompletionUsage } from './openai/read-completion.ts'
import type { FailureKind } from './openai/failure.ts'
import type { Sharing } from './sharing/single-flight.ts'

/** What became of a call: a summary, a failure, a parameter that its server does not know, or nobody waited any more. */
export type CallOutcome = 'ok' | FailureKind | 'parameter-refused' | 'aborted'

export interface CallRecord {
  /** Headers that the call is to carry, so that its server's trace is part of ours. */
  headers: Record<string, string>
  end: (outcome: CallOutcome, usage?: CompletionUsage) => void
}

/** Told of what is done to have summaries written: names, counts and times, never content. */
export interface ModelObserver {
  callBegan: (model: string) => CallRecord
  retried: (model: string) => void
  /** Whether work had to be done, or the store could not be asked. */
  shared: (sharing: Sharing | 'error') => void
  /** How many finished answers are kept in this process. */
  keeps: (count: () => number) => void
}

/** For who does not look. */
export const UNOBSERVED: ModelObserver = {
  callBegan: () => ({ headers: {}, end: () => undefined }),
  retried: () => undefined,
  shared: () => undefined,
  keeps: () => undefined,
}
