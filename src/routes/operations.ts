import { Type } from '@sinclair/typebox'
import { writeMetrics } from '../observe/metrics.ts'
import { defined } from '../text/defined.ts'
import { describedBy, describeResult } from './define-route.ts'
import { problemResponses, READ_PROBLEMS } from './problem-responses.ts'
import type { Route } from './route.ts'
import { Text } from '../schemas/typebox.ts'

const StatusSchema = Type.Object({ status: Type.String() })
const ReadinessSchema = Type.Object({
  status: Text('`ready`, `draining` or `overloaded`.'),
  redis: Type.Optional(
    Text('`up` or `away`, only if `PRECIS_REDIS_URL` is set. While Redis is away, the replica works alone.'),
  ),
  modelServer: Type.Optional(
    Type.Object(
      {
        host: Type.String(),
        cause: Text('The code of the error: `ECONNREFUSED`, `ENOTFOUND`, ...'),
      },
      { description: 'The model server, only if the last call, less than ten minutes ago, did not reach it.' },
    ),
  ),
})

/** Without the refused token: probes need none. */
const probeProblems = () =>
  problemResponses(
    'problem',
    READ_PROBLEMS.filter((type) => type !== 'token-refused'),
  )

const LIVENESS = describedBy(() => ({
  operationId: 'getHealth',
  summary: 'Liveness probe',
  description: '`GET /health` is the same, for gateways that expect this path (Portkey).',
  tags: ['operations'],
  security: [],
  response: { 200: describeResult(StatusSchema, { status: 'ok' }), ...probeProblems() },
}))

const PROBE = { isProbe: true, isAlwaysServed: true }

/** `GET /healthz`: the liveness probe, also as `/health`; `GET /readyz`: the readiness probe. */
export const healthRoutes: Route =
  ({ shared, summarizer }) =>
  async (app) => {
    const alive = async () => ({ status: 'ok' })
    app.get('/healthz', { config: { ...PROBE, ...LIVENESS } }, alive)
    // Gateways ask a compressor with Headroom's contract for this path (Portkey).
    app.get('/health', { schema: { hide: true }, config: PROBE }, alive)
    app.get(
      '/readyz',
      {
        config: {
          ...PROBE,
          ...describedBy(() => ({
            operationId: 'getReadiness',
            summary: 'Readiness probe',
            tags: ['operations'],
            security: [],
            response: {
              200: describeResult(ReadinessSchema, { status: 'ready' }),
              503: ReadinessSchema,
              ...probeProblems(),
            },
          })),
        },
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
    const text = Text('The metrics are listed in docs/observability.md.')
    const example = '# TYPE precis_jobs_waiting gauge\nprecis_jobs_waiting 0\n'
    app.get(
      '/metrics',
      {
        config: {
          isAlwaysServed: true,
          ...describedBy(() => ({
            operationId: 'getMetrics',
            summary: 'Metrics for Prometheus',
            tags: ['operations'],
            response: {
              200: describeResult(text, example, { type: 'text/plain' }),
              ...problemResponses('problem', READ_PROBLEMS),
            },
          })),
        },
      },
      async (_request, reply) => reply.type(metrics.registry.contentType).send(await writeMetrics(metrics)),
    )
  }
