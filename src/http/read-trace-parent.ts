import type { IncomingMessage } from 'node:http'

const TRACE_PARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(?:$|-)/

/** The caller's place in a trace (W3C Trace Context, "traceparent Header"), for the log line. */
export function readTraceParent({ headers }: Pick<IncomingMessage, 'headers'>): {
  traceId?: string
  parentId?: string
} {
  const [, traceId, parentId] = TRACE_PARENT.exec(String(headers['traceparent'] ?? '')) ?? []
  const isNone = (id: string | undefined): boolean => id === undefined || /^0+$/.test(id)
  return isNone(traceId) || isNone(parentId) ? {} : { traceId: traceId as string, parentId: parentId as string }
}
