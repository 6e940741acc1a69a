import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsync } from 'fastify'
import { type Metrics, writeMetrics } from '../observe/metrics.ts'

/** `GET /metrics`: what the service does, in Prometheus' text format. */
export const metricsRoute =
  (metrics: Metrics): FastifyPluginAsync =>
  async (app) => {
    const text = {
      content: {
        'text/plain': { schema: Type.String({ description: 'The metrics are listed in docs/observability.md.' }) },
      },
    }
    app.get(
      '/metrics',
      { schema: { summary: 'Metrics for Prometheus', tags: ['operations'], response: { 200: text } } },
      async (_request, reply) => reply.type(metrics.registry.contentType).send(await writeMetrics(metrics)),
    )
  }
