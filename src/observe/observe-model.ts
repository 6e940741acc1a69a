import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { ModelObserver } from '../model/observer.ts'
import type { Metrics } from './metrics.ts'
import { startSpan } from './start-tracing.ts'

/**
 * Returns an observer that counts and traces model calls. A call is a child span of its request, with the attributes of
 * OpenTelemetry's semantic conventions for generative AI. Without OpenTelemetry's SDK it costs nothing.
 */
export function observeModel(metrics: Metrics): ModelObserver {
  return {
    callStarted(model) {
      const span = startSpan(`chat ${model}`, {
        kind: SpanKind.CLIENT,
        attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model },
      })
      const headers: Record<string, string> = {}
      propagation.inject(trace.setSpan(context.active(), span), headers)
      const endTimer = metrics.callSeconds.startTimer({ model })
      metrics.callsInFlight.inc()
      return {
        headers,
        end(outcome, usage) {
          endTimer()
          metrics.callsInFlight.dec()
          metrics.calls.inc({ model, outcome })
          metrics.tokens.inc({ direction: 'in' }, usage?.inputTokens ?? 0)
          metrics.tokens.inc({ direction: 'out' }, usage?.outputTokens ?? 0)
          span.setAttributes({
            'gen_ai.usage.input_tokens': usage?.inputTokens,
            'gen_ai.usage.output_tokens': usage?.outputTokens,
          })
          if (outcome !== 'ok') {
            span.setAttribute('error.type', outcome)
            span.setStatus({ code: SpanStatusCode.ERROR })
          }
          span.end()
        },
      }
    },
    callRetried: (model) => metrics.retries.inc({ model }),
    lookedUp: (result) => metrics.sharing.inc({ result }),
    watchCacheSize: metrics.kept.watch,
  }
}

interface HookObserved {
  hook: string
  outcome: string
  requestId: string
}

/** Returns a function that counts the operator's hooks, and logs those without a result: names, times and lines of the module. */
export const observeHooks =
  (metrics: Metrics, log: { warn: (facts: object, message: string) => void }) =>
  ({ requestId, ...run }: HookObserved): void => {
    const { hook, outcome } = run
    metrics.hooks.inc({ hook, outcome })
    if (outcome !== 'ok') log.warn({ reqId: requestId, ...run }, 'hook failed')
  }
