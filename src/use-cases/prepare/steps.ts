import type { Reply } from '../../jobs/protocol.ts'

/** The work of a job of `POST /compaction/prepare`: first the reply, then, in the background, the summary. */
export interface PrepareStep {
  kind: 'plan' | 'write'
}

/** The facts beside the reply of the first job. */
export interface PrepareOutcome {
  /** The key of the summary that is to be written; left out if there is nothing to prepare. */
  key?: string
}

/** Returns the outcome of the first job. */
export const prepareOutcomeOf = ({ outcome }: Reply): PrepareOutcome => outcome as PrepareOutcome
