import { useRef, useState } from 'preact/hooks'
import type { CompactionReply } from '../schemas/compaction-reply.ts'
import { readEvents, type ServiceEvent } from './read-events.ts'
import { problemOf, send, ServiceProblem } from './service.ts'
import { writeRequest, type RequestFields, type SessionDocument } from './session-document.ts'

/** What a compaction is asked for. */
export interface CompactionOptions extends RequestFields {
  /** A candidate of the configuration, or `embedded`. */
  candidate?: string
}

/** A finished compaction. */
export interface Compaction {
  options: CompactionOptions
  reply: CompactionReply
}

/** What is known of a running compaction. */
export interface Progress {
  done: number
  total: number
  phase: string
}

/** The compactions of the opened session: the first one is shown, the second one is compared with it. */
export function useCompactions(onProblem: (problem: unknown) => void) {
  const [results, setResults] = useState<readonly (Compaction | undefined)[]>([])
  const [progress, setProgress] = useState<Progress>()
  const running = useRef<AbortController | undefined>(undefined)
  return {
    results,
    progress,
    clear: (): void => {
      running.current?.abort()
      setResults([])
    },
    stop: (): void => {
      running.current?.abort()
    },
    /** @param place 0: the result that is shown; 1: the one that it is compared with */
    run: async (document: SessionDocument, options: CompactionOptions, place: 0 | 1 = 0): Promise<void> => {
      const controller = new AbortController()
      running.current?.abort()
      running.current = controller
      setProgress({ done: 0, total: 0, phase: 'read' })
      try {
        const reply = await compact(document, options, { onProgress: setProgress, signal: controller.signal })
        setResults((before) => (place === 0 ? [{ options, reply }] : [before[0], { options, reply }]))
      } catch (error) {
        if (!controller.signal.aborted) onProblem(error)
      } finally {
        if (running.current === controller) setProgress(undefined)
      }
    },
  }
}

interface Listener {
  onProgress: (progress: Progress) => void
  signal: AbortSignal
}

/** Compacts a session, with progress by events. @throws ServiceProblem; AbortError */
async function compact(
  document: SessionDocument,
  { candidate, ...fields }: CompactionOptions,
  { onProgress, signal }: Listener,
): Promise<CompactionReply> {
  const { query, body, contentType } = await writeRequest(document, fields)
  query.set('include', 'provenance')
  if (candidate !== undefined) query.set('candidate', candidate)
  const response = await send('compaction', { query, body, contentType, signal, accept: 'text/event-stream' })
  if (response.body === null) throw new ServiceProblem('unknown', 'The reply of the service is empty.')
  for await (const event of readEvents(response.body)) {
    const result = readEvent(event, onProgress)
    if (result !== undefined) return result
  }
  throw new ServiceProblem('unknown', 'The reply of the service ended early. Try again.')
}

function readEvent({ event, data }: ServiceEvent, onProgress: Listener['onProgress']): CompactionReply | undefined {
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
      onProgress(value as Progress)
      return undefined
  }
}
