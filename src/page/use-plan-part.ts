import { useEffect, useState } from 'preact/hooks'
import type { PlanReply } from '../schemas/plan.ts'
import { send } from './service.ts'
import { writeRequest } from './session-document.ts'
import type { OpenedSession } from './use-session.ts'

interface PartOptions {
  isWanted: boolean
  onProblem: (problem: unknown) => void
}

/** Returns a plan with an additional part; undefined until it has arrived. */
export function usePlanPart(
  part: 'prompts' | 'compactions',
  { document, settings }: Pick<OpenedSession, 'document' | 'settings'>,
  { isWanted, onProblem }: PartOptions,
): PlanReply | undefined {
  const [loaded, setLoaded] = useState<{ settings: OpenedSession['settings']; plan: PlanReply }>()
  const isThere = loaded?.settings === settings
  useEffect(() => {
    if (!isWanted || isThere) return
    const controller = new AbortController()
    const load = async (): Promise<void> => {
      const { query, body, contentType } = await writeRequest(document, { settings })
      query.set('include', part)
      const response = await send('compaction/plan', { query, body, contentType, signal: controller.signal })
      setLoaded({ settings, plan: (await response.json()) as PlanReply })
    }
    load().catch((error: unknown) => {
      if (!controller.signal.aborted) onProblem(error)
    })
    return () => controller.abort()
  }, [document, settings, isWanted, isThere])
  return isThere ? loaded.plan : undefined
}
