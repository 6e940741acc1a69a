/** The plugin's own stores, which it exports without types. */
declare module '@fastify/rate-limit/store/*' {
  import type { FastifyRateLimitStore } from '@fastify/rate-limit'

  export default class Store {
    constructor(continueExceeding: boolean, exponentialBackoff: boolean, redis?: unknown, key?: string)
    incr: FastifyRateLimitStore['incr']
  }
}
