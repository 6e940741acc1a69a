import { Problem } from '../../errors.ts'
import { withStep } from '../../jobs/job-runner.ts'
import type { Reply } from '../../jobs/protocol.ts'
import type { Services } from '../../jobs/services.ts'
import { startWithPrepared } from '../../jobs/start-with-prepared.ts'
import type { StoredSummary } from '../../model/sharing/stored-summary.ts'
import type { OpenedRequest, UseCaseHandler } from '../use-case.ts'

/** The work of a job of `POST /compaction/prepare`: first the reply, then, in the background, the summary. */
export interface PrepareStep {
  kind: 'plan' | 'write'
}

/** The facts beside the reply of the first job. */
export interface PrepareOutcome {
  /** The key of the summary that is to be written; left out if there is nothing to prepare. */
  key?: string
}

/** Starts what answers `POST /compaction/prepare`. */
export function openPreparation(services: Pick<Services, 'jobs' | 'background'>): UseCaseHandler {
  const { background } = services
  return {
    /** @throws Problem `overloaded` where there is no room for its body; the reason of the signal */
    async answer({ received, budget }: OpenedRequest) {
      const { signal, caller } = budget
      const step = await startWithPrepared(withStep(received, { kind: 'plan' }), services, { signal, caller })
      if (step.kind !== 'reply') throw new Error('This job needs no model.')
      const { key } = step.outcome as PrepareOutcome
      if (key === undefined) return { body: step.body, facts: { prepared: 'nothing' } }
      // A summary with this key cannot be used: an output has changed since.
      if (background.store.get(key)?.state === 'ready') background.store.release(key)
      const owner = received.context.prepared?.owner
      const call = { key, owner, received: withStep(received, { kind: 'write' }), budget, read: readDrafts }
      if (!background.start(call)) throw new Problem('overloaded', NO_ROOM)
      return { body: step.body, facts: { prepared: 'preparing' }, status: 202 }
    },
  }
}

const NO_ROOM =
  'There is no memory for this summary while others are being written in the background. Try again later, or compact without it.'

const readDrafts = ({ body }: Reply): StoredSummary => ({ state: 'ready', drafts: body.toString() })
