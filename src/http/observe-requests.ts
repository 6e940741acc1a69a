import { context, propagation, SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { countReport, type Reported } from '../observe/count-report.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { OnReplyEnd } from './reply-end.ts'

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | undefined
    /** What the reply says of itself, once there is one. */
    reported: Reported | undefined
  }
}

const tracer = trace.getTracer('precis')

/** A request's route pattern: an address may hold content, and there is no end of them. */
export const routeOf = ({ routeOptions }: FastifyRequest): string => routeOptions.url ?? 'none'

/**
 * Counts every request, and traces it: a span below the caller's (W3C Trace Context), with attributes of OpenTelemetry's
 * conventions for HTTP, but for the address, whose query may hold content.
 * @returns what counts it, and ends its span
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
  // Not earlier: the context would be lost with the body, whose pieces come in that of the socket.
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
