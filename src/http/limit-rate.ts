import rateLimit, { type FastifyRateLimitStore, type FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import type { Redis } from 'ioredis'
import LocalStore from '@fastify/rate-limit/store/LocalStore.js'
import RedisStore from '@fastify/rate-limit/store/RedisStore.js'
import { Problem } from '../errors.ts'
import { isProbe } from './refuse-overload.ts'
import type { OnRefused } from './admission.ts'

interface RateLimit {
  /** Requests a minute for each caller. */
  perMinute: number
  /** Where replicas share the counts. */
  redis?: Redis | undefined
  onRefused: OnRefused
}

/**
 * Limits how many requests a minute a caller may make: by service token, or by address where no tokens are set. Decided
 * before the body is read, and told in the `RateLimit-*` headers (draft-ietf-httpapi-ratelimit-headers).
 */
export async function limitRate(app: FastifyInstance, { perMinute, redis, onRefused }: RateLimit): Promise<void> {
  await app.register(rateLimit, {
    max: perMinute,
    timeWindow: '1 minute',
    enableDraftSpec: true,
    store: countRequestsIn(redis),
    keyGenerator: (request) => request.caller || request.ip,
    allowList: (request) => isProbe(request),
    errorResponseBuilder: (_request, { after }) => {
      onRefused('rate-limit')
      return new Problem('rate-limited', `At most ${perMinute} requests a minute; the next one may come in ${after}.`)
    },
  })
}

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
