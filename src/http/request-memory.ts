import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import type { OnRefused } from './admission.ts'

/** How many bodies of the largest size may be in memory at once. */
const MAX_LARGEST_BODIES = 4

/** The memory that a request takes in this process: its body, and later what a job has made of it. */
export interface RequestMemory {
  /** Counts bytes of the body that have arrived. @throws Problem `overloaded` if other requests use all memory */
  add: (bytes: number) => void
  /** Counts what the request takes from now on, in place of what it took before. */
  replace: (bytes: number) => void
}

declare module 'fastify' {
  interface FastifyRequest {
    readonly memory: RequestMemory
  }
}

/**
 * Limits the memory for all requests at the same time, which is known exactly: sessions are held as bytes. Bytes count when
 * they have arrived, until the reply has ended.
 * @param bodyLimitBytes the largest size of one body
 */
export function limitRequestMemory(app: FastifyInstance, bodyLimitBytes: number, onRefused: OnRefused): void {
  const maxBytes = bodyLimitBytes * MAX_LARGEST_BODIES
  const heldBytes = new WeakMap<FastifyRequest, number>()
  let totalBytes = 0
  const hold = (request: FastifyRequest, bytes: number): void => {
    totalBytes += bytes - (heldBytes.get(request) ?? 0)
    heldBytes.set(request, bytes)
  }
  const memoryOf = (request: FastifyRequest): RequestMemory => ({
    add(bytes) {
      if (totalBytes + bytes > maxBytes) {
        onRefused('body-bytes')
        throw new Problem('overloaded', 'The bodies of other requests use all memory for bodies. Try again later.')
      }
      hold(request, (heldBytes.get(request) ?? 0) + bytes)
    },
    replace(bytes) {
      // A reply may end while a job of its request is still under way.
      if (heldBytes.has(request)) hold(request, bytes)
    },
  })
  app.decorateRequest('memory', {
    getter() {
      return memoryOf(this)
    },
  })
  app.addHook('onRequest', async (request, reply) => {
    heldBytes.set(request, 0)
    reply.raw.once('close', () => {
      hold(request, 0)
      heldBytes.delete(request)
    })
  })
}
