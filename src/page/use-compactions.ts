import { useState } from 'preact/hooks'
import type { CompactionReply } from '../schemas/compaction-reply.ts'
import { readEvents, type ServerEvent } from '../text/read-events.ts'
import { problemOf, send, ServiceProblem } from './service.ts'
import { writeRequest, type RequestFields, type OpenedDocument } from './session-document.ts'
import type { Problems } from './use-access.ts'
import { useRunning } from './use-running.ts'
import type { OpenedSession } from './use-session.ts'

export interface CompactionOptions extends RequestFields {
  settings: Readonly<Record<string, number>>
  /** A candidate of the configuration, or `embedded`. */
  candidate?: string
}

/** A finished compaction, with the plan that it was made by: the controls may have been moved since. */
export interface Compaction extends Pick<OpenedSession, 'plan' | 'entries'> {
  options: CompactionOptions
  reply: CompactionReply
}

export interface CompactionProgress {
  done: number
  total: number
  phase: string
}

/** The compactions of the opened session: the first one is shown, the second one is compared with it. */
export function useCompactions({ onProblem, clearProblem }: Problems) {
  const [results, setResults] = useState<readonly (Compaction | undefined)[]>([])
  const { progress, setProgress, stop, run } = useRunning<CompactionProgress>(onProblem)
  return {
    ...{ results, progress, stop },
    /** @param place 0: the result that is shown; 1: the one that it is compared with */
    run: ({ document, plan, entries }: OpenedSession, options: CompactionOptions, place: 0 | 1 = 0) => {
      clearProblem()
      return run({ done: 0, total: 0, phase: 'read' }, async (signal) => {
        const reply = await compact(document, options, { onProgress: setProgress, signal })
        const result = { options, reply, plan, entries }
        setResults((before) => (place === 0 ? [result] : [before[0], result]))
      })
    },
  }
}

interface Listener {
  onProgress: (progress: CompactionProgress) => void
  signal: AbortSignal
}

/** Compacts a session, with progress by events. @throws ServiceProblem; AbortError */
async function compact(
  document: OpenedDocument,
  { candidate, ...fields }: CompactionOptions,
  { onProgress, signal }: Listener,
): Promise<CompactionReply> {
  const { query, body, contentType } = await writeRequest(document, { ...fields, details: 'full' })
  query.set('include', 'provenance,items')
  if (candidate !== undefined) query.set('candidate', candidate)
  const response = await send('compaction', { query, body, contentType, signal, accept: 'text/event-stream' })
  if (response.body === null) throw new ServiceProblem('unknown', 'The reply of the service is empty.')
  for await (const event of readEvents(response.body)) {
    const result = readEvent(event, onProgress)
    if (result !== undefined) return result
  }
  throw new ServiceProblem('unknown', 'The reply of the service ended early. Try again.')
}

function readEvent({ event, data }: ServerEvent, onProgress: Listener['onProgress']): CompactionReply | undefined {
  const value = JSON.parse(data) as unknown
  switch (event) {
    case 'result':
      return value as CompactionReply
    case 'problem':
      throw problemOf(value)
    case 'plan':
      onProgress({ done: 0, total: (value as { windows: number }).windows, phase: 'summarize' })
      return undefined
    default:
      onProgress(value as CompactionProgress)
      return undefined
  }
}
