import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The digest of the caller's service token; empty if no tokens are set. */
    caller: string
  }
}

const DETAIL = 'Send a service token as Bearer, or as the password of Basic authentication.'

/**
 * Admits only callers with a service token, before the body is read. The token is sent as Bearer, or as the password of
 * Basic with any user name: `http://x:TOKEN@host/compaction` is the only way an unmodified oh-my-pi can send it.
 * @param tokens if there are none, everybody is admitted
 */
export function requireToken(app: FastifyInstance, tokens: readonly string[]): void {
  app.decorateRequest('caller', '')
  if (tokens.length === 0) return
  const digests = tokens.map(digest)
  app.addHook('onRequest', async (request, reply) => {
    const { isProbe, tokenRefusedStatus } = request.routeOptions.config
    if (isProbe === true) return
    const shown = digest(readToken(request.headers.authorization ?? ''))
    if (isKnown(shown, digests)) {
      request.caller = shown.toString('base64url')
      return
    }
    if (tokenRefusedStatus !== undefined) throw new Problem('token-refused', DETAIL, { status: tokenRefusedStatus })
    void reply.header('www-authenticate', 'Bearer realm="precis", Basic realm="precis"')
    throw new Problem('token-refused', DETAIL)
  })
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function readToken(authorization: string): string {
  const [scheme = '', value = ''] = authorization.split(' ', 2)
  if (scheme.toLowerCase() === 'bearer') return value
  const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString() : ''
  const colon = pair.indexOf(':')
  return colon === -1 ? '' : pair.slice(colon + 1)
}

/** Takes the same time for every token, known or not: digests have one length, and all of them are compared. */
function isKnown(shown: Buffer, digests: readonly Buffer[]): boolean {
  return digests.reduce((known, one) => timingSafeEqual(shown, one) || known, false)
}
