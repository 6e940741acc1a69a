import { defined } from '../text/defined.ts'
import { Type } from '@sinclair/typebox'
import { writeMetrics } from '../observe/metrics.ts'
import { METRICS_REPLY } from '../schemas/reply-examples.ts'
import { describeResult } from './define-route.ts'
import { problemResponses, READ_PROBLEMS } from './problem-responses.ts'
import type { Route } from './route.ts'

const StatusSchema = Type.Object({ status: Type.String() })
const ReadinessSchema = Type.Object({
  status: Type.String({ description: '`ready`, `draining` or `overloaded`.' }),
  redis: Type.Optional(
    Type.String({
      description: '`up` or `away`, only if `PRECIS_REDIS_URL` is set. While Redis is away, the replica works alone.',
    }),
  ),
  modelServer: Type.Optional(
    Type.Object(
      {
        host: Type.String(),
        cause: Type.String({ description: 'The code of the error: `ECONNREFUSED`, `ENOTFOUND`, ...' }),
      },
      { description: 'The model server, only if the last call, less than ten minutes ago, did not reach it.' },
    ),
  ),
})

/** Without the refused token: probes need none. */
const PROBE_PROBLEMS = problemResponses(
  'problem',
  READ_PROBLEMS.filter((type) => type !== 'token-refused'),
)

const LIVENESS_SCHEMA = {
  operationId: 'getHealth',
  summary: 'Liveness probe',
  description: '`GET /health` is the same, for gateways that expect this path (Portkey).',
  tags: ['operations'],
  security: [],
  response: { 200: describeResult(StatusSchema, { status: 'ok' }), ...PROBE_PROBLEMS },
}

const PROBE = { isProbe: true, isAlwaysServed: true }

/** `GET /healthz`: the liveness probe, also as `/health`; `GET /readyz`: the readiness probe. */
export const healthRoutes: Route =
  ({ shared, summarizer }) =>
  async (app) => {
    const alive = async () => ({ status: 'ok' })
    app.get('/healthz', { schema: LIVENESS_SCHEMA, config: PROBE }, alive)
    // Gateways ask a compressor with Headroom's contract for this path (Portkey).
    app.get('/health', { schema: { hide: true }, config: PROBE }, alive)
    app.get(
      '/readyz',
      {
        schema: {
          operationId: 'getReadiness',
          summary: 'Readiness probe',
          tags: ['operations'],
          security: [],
          response: {
            200: describeResult(ReadinessSchema, { status: 'ready' }),
            503: ReadinessSchema,
            ...PROBE_PROBLEMS,
          },
        },
        config: PROBE,
      },
      async (_request, reply) => {
        const modelServer = summarizer.name === 'openai' ? summarizer.unreachable?.() : undefined
        const parts = defined({ redis: shared && (shared.isUp() ? 'up' : 'away'), modelServer })
        if (app.isDraining()) return reply.code(503).send({ status: 'draining', ...parts })
        if (app.overload() !== undefined) return reply.code(503).send({ status: 'overloaded', ...parts })
        return { status: 'ready', ...parts }
      },
    )
  }

/** `GET /metrics`: the metrics in Prometheus' text format. */
export const metricsRoute: Route =
  ({ metrics }) =>
  async (app) => {
    const text = Type.String({ description: 'The metrics are listed in docs/observability.md.' })
    const result = describeResult(text, METRICS_REPLY, { type: 'text/plain' })
    app.get(
      '/metrics',
      {
        schema: {
          operationId: 'getMetrics',
          summary: 'Metrics for Prometheus',
          tags: ['operations'],
          response: { 200: result, ...problemResponses('problem', READ_PROBLEMS) },
        },
        config: { isAlwaysServed: true },
      },
      async (_request, reply) => reply.type(metrics.registry.contentType).send(await writeMetrics(metrics)),
    )
  }
