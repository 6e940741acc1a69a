import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import { Problem } from '../errors.ts'
import type { OnRefused } from './admission.ts'

interface RateLimit {
  /** Requests per minute for each caller. */
  perMinute: number
  /** Where replicas share the counts. */
  redis?: Redis | undefined
  onRefused: OnRefused
}

const WINDOW_SECONDS = 60

/**
 * Limits how many requests per minute a caller may send. A caller is a service token, or an address if no tokens are
 * set. The limit is checked before the body is read, and each reply has the `RateLimit-*` headers
 * (draft-ietf-httpapi-ratelimit-headers-06, section 5). Unknown routes and probes do not count.
 */
export function limitRate(app: FastifyInstance, { perMinute, redis, onRefused }: RateLimit): void {
  const limiter = createLimiter(perMinute, redis)
  const checkRate = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { consumedPoints, msBeforeNext } = await countRequest(limiter, request.caller || request.ip)
    const resetSeconds = Math.ceil(msBeforeNext / 1000)
    void reply.headers({
      'ratelimit-limit': perMinute,
      'ratelimit-remaining': Math.max(0, perMinute - consumedPoints),
      'ratelimit-reset': resetSeconds,
    })
    if (consumedPoints <= perMinute) return
    void reply.header('retry-after', resetSeconds)
    onRefused('rate-limit')
    throw new Problem(
      'rate-limited',
      `The limit is ${perMinute} requests per minute. Send the next request in ${resetSeconds} s.`,
    )
  }
  // A route's own hooks run last: a request that is refused for another reason does not count.
  app.addHook('onRoute', (route) => {
    if (route.config?.isProbe !== true) route.onRequest = [route.onRequest ?? [], checkRate].flat()
  })
}

/** Counts in Redis if there is one. While it does not answer, each replica counts alone. */
function createLimiter(points: number, redis: Redis | undefined): RateLimiterAbstract {
  const options = { points, duration: WINDOW_SECONDS, keyPrefix: 'precis:rate' }
  const memory = new RateLimiterMemory(options)
  if (redis === undefined) return memory
  return new RateLimiterRedis({
    ...options,
    storeClient: redis,
    rejectIfRedisNotReady: true,
    insuranceLimiter: memory,
  })
}

/** Returns the caller's count with this request. The limiter throws it if the count is over the limit. */
async function countRequest(limiter: RateLimiterAbstract, caller: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(caller)
  } catch (result) {
    if (result instanceof RateLimiterRes) return result
    throw result
  }
}
