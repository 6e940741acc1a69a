import { context, propagation, SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { countReport, type Reported } from '../observe/metrics.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { OnReplyEnd } from './reply-end.ts'

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | undefined
    /** The report of the reply, if it has one. */
    reported: Reported | undefined
  }
}

const tracer = trace.getTracer('precis')

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
    const caller = propagation.extract(context.active(), headers)
    request.span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, caller)
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
