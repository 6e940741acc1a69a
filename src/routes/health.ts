import { Type } from '@sinclair/typebox'
import type { Route } from './route.ts'

const StatusSchema = Type.Object({ status: Type.String() })
const ReadinessSchema = Type.Object({
  status: Type.String({ description: '`ready`, `draining` or `overloaded`.' }),
  redis: Type.Optional(
    Type.String({
      description: '`up` or `away`, only if `PRECIS_REDIS_URL` is set. While Redis is away, the replica works alone.',
    }),
  ),
})

const PROBE = { isProbe: true, isAlwaysServed: true }

/** `GET /healthz`: the liveness probe; `GET /readyz`: the readiness probe. */
export const healthRoutes: Route =
  ({ shared }) =>
  async (app) => {
    app.get(
      '/healthz',
      { schema: { summary: 'Liveness probe', tags: ['operations'], response: { 200: StatusSchema } }, config: PROBE },
      async () => ({ status: 'ok' }),
    )
    app.get(
      '/readyz',
      {
        schema: {
          summary: 'Readiness probe',
          tags: ['operations'],
          response: { 200: ReadinessSchema, 503: ReadinessSchema },
        },
        config: PROBE,
      },
      async (_request, reply) => {
        const redis = shared === undefined ? {} : { redis: shared.isUp() ? 'up' : 'away' }
        if (app.isDraining()) return reply.code(503).send({ status: 'draining', ...redis })
        if (app.overload() !== undefined) return reply.code(503).send({ status: 'overloaded', ...redis })
        return { status: 'ready', ...redis }
      },
    )
  }
