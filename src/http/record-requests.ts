import type { IncomingMessage } from 'node:http'
import { context, propagation, SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { PROBLEMS, type ProblemType } from '../errors.ts'
import type { Metrics } from '../observe/metrics.ts'
import { countReport, type ReplyMetrics } from '../observe/metrics.ts'
import { startSpan } from '../observe/start-tracing.ts'
import type { OnReplyEnd } from './reply-order.ts'
import { factsOf, type RequestFacts } from './request-facts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | undefined
    reported: ReplyMetrics | undefined
    /** Counts, tokens and names for the log line of the request; never content. */
    facts: RequestFacts
  }
}

/**
 * Counts and traces every request: its span is a child of the caller's (W3C Trace Context), with the attributes of
 * OpenTelemetry's conventions for HTTP, except the URL, because a query may contain content.
 * @returns the callback that counts a request and ends its span
 */
export function observeRequests(app: FastifyInstance, metrics: Metrics): OnReplyEnd {
  app.decorateRequest('span', undefined)
  app.decorateRequest('reported', undefined)
  app.addHook('onRequest', async (request) => {
    const { method, headers } = request
    const route = routeOf(request)
    const attributes = { 'http.request.method': method, 'http.route': route }
    const parent = propagation.extract(context.active(), headers)
    request.span = startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent)
  })
  // Set here, because reading the body runs in the context of the socket and would lose it.
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.span === undefined) done()
    else context.with(trace.setSpan(context.active(), request.span), done)
  })
  return (request, { status, elapsedMs }) => {
    const { method, span, reported } = request
    const route = routeOf(request)
    metrics.requests.inc({ route, method, status: String(status) })
    metrics.requestSeconds.observe({ route, status: String(status) }, elapsedMs / 1000)
    if (reported !== undefined) countReport(metrics, route, reported)
    span?.setAttribute('http.response.status_code', status)
    if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  }
}

/** Returns the route pattern: URLs may contain content, and there are infinitely many of them. */
function routeOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? 'none'
}

/**
 * Logs one line per request: its id, trace, route pattern, status, milliseconds and facts. The line has no URL, because a
 * query may contain content.
 * @returns the callback that logs it
 */
export function logRequests(app: FastifyInstance): OnReplyEnd {
  app.decorateRequest('facts', {
    getter() {
      return factsOf(this)
    },
  })
  return (request, { status, elapsedMs, hungUp }) => {
    const { method, routeOptions, facts } = request
    const line = {
      method,
      route: routeOf(request),
      status,
      ms: Math.round(elapsedMs),
      ...(hungUp ? { hungUp } : {}),
      ...readTraceParent(request),
    }
    // Orchestrators ask for probes every few seconds.
    const isQuiet = routeOptions.config.isProbe === true && status < 400
    request.log[isQuiet ? 'debug' : levelOf(status, facts)]({ ...line, ...facts }, 'request')
  }
}

/**
 * Returns the level of a request's line. As Fastify does, it calls a fault that is not the client's an error. A stream has its fault behind
 * status 200. A service that is full or ends, and a summary that the embedded summarizer had to write, is a warning.
 */
function levelOf(status: number, { problem, degraded }: RequestFacts): 'info' | 'warn' | 'error' {
  const worst = isProblemType(problem) ? PROBLEMS[problem].status : status
  if (worst === 503 || degraded === true) return 'warn'
  return worst >= 500 || worst === 424 ? 'error' : 'info'
}

const isProblemType = (type: RequestFacts[string] | undefined): type is ProblemType =>
  Object.hasOwn(PROBLEMS, String(type))

const TRACE_PARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(?:$|-)/

/** Returns the trace and the span of the caller (W3C Trace Context, "traceparent Header"). */
export function readTraceParent({ headers }: Pick<IncomingMessage, 'headers'>): {
  traceId?: string
  parentId?: string
} {
  const [, traceId, parentId] = TRACE_PARENT.exec(String(headers['traceparent'] ?? '')) ?? []
  const isUnset = (id: string | undefined): boolean => id === undefined || /^0+$/.test(id)
  return isUnset(traceId) || isUnset(parentId) ? {} : { traceId: traceId as string, parentId: parentId as string }
}
