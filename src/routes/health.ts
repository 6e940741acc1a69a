import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

const StatusSchema = Type.Object({ status: Type.String() })

/** `GET /healthz`: alive; `GET /readyz`: takes work. */
export async function healthRoutes(app: FastifyInstance): Promise<void> {
  app.get(
    '/healthz',
    { schema: { summary: 'Alive', tags: ['operations'], response: { 200: StatusSchema } } },
    async () => ({ status: 'ok' }),
  )
  app.get(
    '/readyz',
    { schema: { summary: 'Takes work', tags: ['operations'], response: { 200: StatusSchema, 503: StatusSchema } } },
    async (_request, reply) => {
      if (app.isDraining()) return reply.code(503).send({ status: 'draining' })
      if (app.overload() !== undefined) return reply.code(503).send({ status: 'overloaded' })
      return { status: 'ready' }
    },
  )
}
