import LocalStore from '@fastify/rate-limit/store/LocalStore.js'
import RedisStore from '@fastify/rate-limit/store/RedisStore.js'
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { Redis } from 'ioredis'

type Count = Parameters<FastifyRateLimitStore['incr']>

/**
 * The counts behind a rate limit: in Redis, where replicas share them; while that is away each replica counts alone,
 * where the plugin's own choice is to fail all requests or to limit none.
 */
export function countRequestsIn(redis: Redis | undefined): FastifyRateLimitStoreCtor {
  return class Counts {
    readonly #local = new LocalStore(false, false)
    readonly #shared = redis === undefined ? undefined : new RedisStore(false, false, redis, 'precis:rate:')

    incr(...[caller, done, windowMs, max]: Count): void {
      const countAlone = (): void => {
        this.#local.incr(caller, done, windowMs, max)
      }
      const doneOrAlone: Count[1] = (error, counted) => {
        if (error === null) done(null, counted)
        else countAlone()
      }
      if (this.#shared === undefined || redis?.status !== 'ready') countAlone()
      else this.#shared.incr(caller, doneOrAlone, windowMs, max)
    }

    /** All routes of a caller count together. */
    child(): this {
      return this
    }
  }
}
