import { Type } from '@sinclair/typebox'
import { writeMetrics } from '../observe/metrics.ts'
import type { Route } from './route.ts'

/** `GET /metrics`: the metrics in Prometheus' text format. */
export const metricsRoute: Route =
  ({ metrics }) =>
  async (app) => {
    const text = {
      content: {
        'text/plain': { schema: Type.String({ description: 'The metrics are listed in docs/observability.md.' }) },
      },
    }
    app.get(
      '/metrics',
      {
        schema: { summary: 'Metrics for Prometheus', tags: ['operations'], response: { 200: text } },
        config: { isAlwaysServed: true },
      },
      async (_request, reply) => reply.type(metrics.registry.contentType).send(await writeMetrics(metrics)),
    )
  }
