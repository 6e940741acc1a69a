import { useEffect, useState } from 'preact/hooks'
import type { PastCompaction } from '../schemas/past-compaction.ts'
import type { PlanReply } from '../schemas/plan.ts'
import { send } from './service.ts'
import { writeRequest } from './session-document.ts'
import { hasSummary } from './strip-layout.ts'
import type { OpenedSession } from './use-session.ts'

interface PastOptions {
  isWanted: boolean
  onProblem: (problem: unknown) => void
}

/** Returns what each compaction of a session dropped; undefined until it has arrived, and where it has fewer than two of them. */
export function usePastCompactions(
  { document, entries }: Pick<OpenedSession, 'document' | 'entries'>,
  { isWanted, onProblem }: PastOptions,
): readonly PastCompaction[] | undefined {
  const [compactions, setCompactions] = useState<readonly PastCompaction[]>()
  const isChain = entries.filter(hasSummary).length > 1
  const isNeeded = isWanted && isChain && compactions === undefined
  useEffect(() => {
    if (!isNeeded) return
    const controller = new AbortController()
    const load = async (): Promise<void> => {
      const { query, body, contentType } = await writeRequest(document, {})
      query.set('include', 'compactions')
      const response = await send('compaction/plan', { query, body, contentType, signal: controller.signal })
      setCompactions(((await response.json()) as PlanReply).compactions)
    }
    load().catch((error: unknown) => {
      if (!controller.signal.aborted) onProblem(error)
    })
    return () => {
      controller.abort()
    }
  }, [document, isNeeded])
  return compactions !== undefined && compactions.length > 1 ? compactions : undefined
}
