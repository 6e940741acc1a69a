import { useState } from 'preact/hooks'
import type { ComparisonReply } from '../schemas/comparison.ts'
import { send, ServiceProblem } from './service.ts'
import { writeRequest } from './session-document.ts'
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
  const [isBusy, setBusy] = useState(false)
  const { start, stop } = useRunning()
  const run = async ({ candidate, ...fields }: ComparisonChoice): Promise<void> => {
    const signal = start()
    setBusy(true)
    try {
      const { query, body, contentType } = await writeRequest(document, fields)
      query.set('include', 'provenance')
      if (candidate !== undefined) query.set('candidate', candidate)
      const response = await send('compaction/compare', { query, body, contentType, signal })
      setReply((await response.json()) as ComparisonReply)
      setReason(undefined)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ServiceProblem && error.type === 'nothing-to-compare') setReason(error.message)
      else onProblem(error)
    } finally {
      if (!signal.aborted) setBusy(false)
    }
  }
  return {
    ...{ reply, reason, isBusy, run },
    stop: (): void => {
      stop()
      setBusy(false)
    },
  }
}
