import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import type { Redis } from 'ioredis'
import { Problem } from '../errors.ts'
import { countRequestsIn } from './count-requests.ts'
import { isProbe } from './probes.ts'
import type { OnRefused } from './refusal.ts'

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
