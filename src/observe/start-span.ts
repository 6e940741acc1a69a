import { trace, type Tracer } from '@opentelemetry/api'

/**
 * Starts a span. The tracer is looked up each time: one that is created before OpenTelemetry's SDK has started never reaches an SDK with
 * a copy of the API of its own, and it always has one beside a bundle.
 */
export const startSpan: Tracer['startSpan'] = (...span) => trace.getTracer('precis').startSpan(...span)
