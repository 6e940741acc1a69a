import { useState } from 'preact/hooks'
import type { ComparisonReply } from '../schemas/comparison.ts'
import { send, ServiceProblem } from './service.ts'
import { writeRequest } from './session-document.ts'
import type { CompactionProgress } from './use-compactions.ts'
import { useRunning } from './use-running.ts'
import type { OpenedSession } from './use-session.ts'

/** What is chosen for a comparison. */
interface ComparisonChoice {
  /** A candidate of the configuration, or `embedded`. */
  candidate?: string
  /** The number of a compaction; left out for the newest one of the agent. */
  compaction?: number
}

/** The comparison of the agent's own summary with one of the same entries. */
export function useComparison({ document }: Pick<OpenedSession, 'document'>, onProblem: (problem: unknown) => void) {
  const [reply, setReply] = useState<ComparisonReply>()
  /** Why there is nothing to compare. */
  const [reason, setReason] = useState<string>()
  const { progress, stop, run } = useRunning<CompactionProgress>(onProblem)
  return {
    ...{ reply, reason, progress, stop },
    run: ({ candidate, ...fields }: ComparisonChoice) =>
      run({ phase: 'Writing a summary of the same entries', done: 0, total: 0 }, async (signal) => {
        const { query, body, contentType } = await writeRequest(document, fields)
        query.set('include', 'provenance')
        if (candidate !== undefined) query.set('candidate', candidate)
        try {
          const response = await send('compaction/compare', { query, body, contentType, signal })
          setReply((await response.json()) as ComparisonReply)
          setReason(undefined)
        } catch (error) {
          if (!(error instanceof ServiceProblem) || error.type !== 'nothing-to-compare') throw error
          setReason(error.message)
        }
      }),
  }
}
