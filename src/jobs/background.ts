import type { StoredSummary } from '../model/sharing/stored-summary.ts'
import type { SummaryStore } from '../model/sharing/summary-store.ts'
import type { ReceivedRequest } from './job-runner.ts'
import type { Reply } from './protocol.ts'

/** A summary that is to be written for later requests. */
export interface SummaryCall {
  key: string
  /** Under whom the key is found (`SummaryStore.claim`). */
  owner?: string | undefined
  received: ReceivedRequest
  budget: { caller: string; tokenDigest: string }
  /** Returns the summary in the reply of its job. */
  read: (reply: Reply) => StoredSummary
}

/** Writes summaries for later requests, and knows those that have been written. */
export interface Background {
  readonly store: SummaryStore
  /** Starts a summary, unless it is being written already. Does not wait for it. @returns whether there is room for it */
  start: (call: SummaryCall) => boolean
  /** Returns how many summaries are being written. */
  count: () => number
  /** Returns whether one of some summaries is worth waiting for: it is under way here, or another replica is writing it. */
  isWriting: (keys: readonly string[]) => boolean
  /** Waits until one of some summaries may have ended. @throws the reason of the signal, if it aborts first */
  whenEnded: (keys: readonly string[], within: { signal: AbortSignal; ms?: number }) => Promise<void>
  /** Ends all summaries. */
  stop: () => Promise<void>
}
