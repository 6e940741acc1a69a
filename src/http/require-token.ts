import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../errors.ts'
import { isProbe } from './refuse-overload.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Names the service token that the caller showed, without telling it; empty where no tokens are set. */
    caller: string
  }
}

/**
 * Agents call these. On 401, 402 and 403 oh-my-pi rotates the user's own provider keys and blames them (docs/clients.md,
 * measured on 18.2.3): a refused token is a 404 there.
 */
const CALLED_BY_AGENTS = new Set(['/compaction', '/v1/chat/completions'])

const digest = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Lets only callers with a service token in, decided before the body is read. A token comes as Bearer, or as the password
 * of Basic with any user: `http://x:TOKEN@host/compaction` is the one way an unmodified oh-my-pi can send it.
 * @param tokens none: everybody is let in
 */
export function requireToken(app: FastifyInstance, tokens: readonly string[]): void {
  app.decorateRequest('caller', '')
  if (tokens.length === 0) return
  const digests = tokens.map(digest)
  app.addHook('onRequest', async (request, reply) => {
    const path = request.routeOptions.url ?? ''
    if (isProbe(request)) return
    const shown = digest(readToken(request.headers.authorization ?? ''))
    if (isKnown(shown, digests)) {
      request.caller = shown.toString('base64url')
      return
    }
    const detail = 'Send a service token as Bearer, or as the password of Basic authentication.'
    if (CALLED_BY_AGENTS.has(path)) throw new Problem('token-refused', detail, { status: 404 })
    void reply.header('www-authenticate', 'Bearer cacheNamespace="precis", Basic cacheNamespace="precis"')
    throw new Problem('token-refused', detail)
  })
}

function readToken(authorization: string): string {
  const [scheme = '', value = ''] = authorization.split(' ', 2)
  if (scheme.toLowerCase() === 'bearer') return value
  const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString() : ''
  return pair.slice(pair.indexOf(':') + 1)
}

/** Takes the same time whichever token it is, and whether it is one: digests have one length, and all are compared. */
function isKnown(shown: Buffer, digests: readonly Buffer[]): boolean {
  return digests.reduce((known, one) => timingSafeEqual(shown, one) || known, false)
}
