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
  const countRequest = createCounter(perMinute, redis)
  const checkRate = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { consumedPoints, msBeforeNext } = await countRequest(request.tokenDigest || request.ip)
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
    if (route.config?.isProbe !== true && route.config?.isPublic !== true)
      route.onRequest = [route.onRequest ?? [], checkRate].flat()
  })
}

type CountRequest = (caller: string) => Promise<RateLimiterRes>

/**
 * Counts in Redis if there is one. While it does not answer, or answers with something else than a count, each replica counts
 * alone.
 */
function createCounter(points: number, redis: Redis | undefined): CountRequest {
  const options = { points, duration: WINDOW_SECONDS, keyPrefix: 'precis:rate' }
  const memory = new RateLimiterMemory(options)
  if (redis === undefined) return (caller) => consume(memory, caller)
  const shared = new RateLimiterRedis({
    ...options,
    storeClient: redis,
    rejectIfRedisNotReady: true,
    insuranceLimiter: memory,
  })
  return async (caller) => {
    const counted = await consume(shared, caller)
    return isCount(counted) ? counted : consume(memory, caller)
  }
}

/** Returns whether the numbers can be those of a caller in a window: another program may have written the key. */
const isCount = ({ consumedPoints, msBeforeNext }: RateLimiterRes): boolean =>
  Number.isSafeInteger(consumedPoints) &&
  Number.isSafeInteger(msBeforeNext) &&
  consumedPoints > 0 &&
  msBeforeNext >= 0 &&
  msBeforeNext <= WINDOW_SECONDS * 1000

/** Returns the caller's count with this request. The limiter throws it if the count is over the limit. */
async function consume(limiter: RateLimiterAbstract, caller: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(caller)
  } catch (result) {
    if (result instanceof RateLimiterRes) return result
    throw result
  }
}
