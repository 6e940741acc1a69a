import type { FastifyInstance } from 'fastify'
import { Problem } from '../errors.ts'
import { isWatch } from './probes.ts'
import type { OnRefused } from './refusal.ts'

declare module 'fastify' {
  interface FastifyInstance {
    isDraining: () => boolean
  }
}

/** From the start of `close()` on, refuses what comes on connections that are still open; what is under way goes on. */
export function refuseWhileDraining(app: FastifyInstance, onRefused: OnRefused): void {
  let isDraining = false
  app.decorate('isDraining', () => isDraining)
  app.addHook('preClose', async () => {
    isDraining = true
  })
  app.addHook('onSend', async (_request, reply) => {
    // A kept-alive connection would hold the process until the client lets go of it.
    if (isDraining) void reply.header('connection', 'close')
  })
  app.addHook('onRequest', async (request) => {
    if (!isDraining || isWatch(request)) return
    onRefused('draining')
    throw new Problem('draining', 'This replica is shutting down.')
  })
}
