import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'

/** Headers of every reply that has no such header of its own: browsers neither guess its type, store, run nor frame it. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const

/** What Swagger UI needs (its images are `data:` URLs of its style sheet), and nothing from other servers. */
export const DOCS_PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

interface OriginOptions {
  /** The address that the service listens on. */
  host: string
  /** Origins whose pages may use the service (Fetch, "HTTP-network-or-cache fetch": `Origin`). */
  corsOrigins: readonly string[]
}

/**
 * Protects the service from web pages, before a body is read.
 * - A request has one `Host` (RFC 9112, section 3.2).
 * - A service at a loopback address refuses other names: a page whose own name was pointed to that address ("DNS
 *   rebinding") sends its name as `Host`.
 * - A request of a page of another origin is refused, unless the origin is listed.
 */
export function checkOrigin(app: FastifyInstance, { host, corsOrigins }: OriginOptions): void {
  const isLocal = isLoopback(host)
  app.addHook('onRequest', async (request, reply) => {
    refuseExpectation(request)
    checkHost(request, isLocal)
    const { origin } = request.headers
    if (corsOrigins.length > 0) void reply.header('vary', 'Origin')
    if (origin === undefined || isOwn(origin, request)) return
    if (!corsOrigins.includes(origin.toLowerCase()))
      throw new Problem(
        'foreign-origin',
        'Web pages of this Origin may not use this service. Its operator can list the origin in PRECIS_CORS_ORIGINS.',
      )
    await allowOrigin(request, reply, origin)
  })
  app.addHook('onSend', async (_request, reply) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS))
      if (!reply.hasHeader(name)) void reply.header(name, value)
  })
}

/** Returns true for an address or a name that only programs on the same machine reach. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i.test(host)
}

/** Node would answer an unknown expectation itself, without a problem (RFC 9110, section 10.1.1). */
function refuseExpectation({ headers: { expect } }: FastifyRequest): void {
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    throw new Problem('expectation-failed', 'The only known value of Expect is 100-continue. Leave the header out.')
}

function checkHost({ raw, headers: { host } }: FastifyRequest, isLocal: boolean): void {
  const count = raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
  if (count > 1 || (count === 0 && raw.httpVersion !== '1.0'))
    throw new Problem('invalid-request', `A request needs one Host header; this one has ${count}.`)
  if (!isLocal || host === undefined || isLoopback(host.replace(/:\d{1,5}$/, ''))) return
  throw new Problem(
    'wrong-host',
    'This service listens on a loopback address (HOST), so Host must be localhost, 127.0.0.1 or [::1], with any port. ' +
      'Behind a proxy, let the proxy send Host: localhost.',
  )
}

/** A proxy in front of the service may have taken `https` off. */
function isOwn(origin: string, { headers: { host = '' } }: FastifyRequest): boolean {
  return ['http://', 'https://'].some((scheme) => origin.toLowerCase() === scheme + host.toLowerCase())
}

/** Lets a page read the reply, and answers the question that browsers ask before most requests ("preflight"). */
async function allowOrigin({ method, headers }: FastifyRequest, reply: FastifyReply, origin: string): Promise<void> {
  void reply.header('access-control-allow-origin', origin)
  if (method === 'OPTIONS' && headers['access-control-request-method'] !== undefined) {
    // `*` does not include Authorization (Fetch, "CORS-preflight fetch").
    void reply.headers({
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'Authorization, Content-Type, *',
      'access-control-max-age': '600',
    })
    await reply.code(204).send()
    return
  }
  void reply.header(
    'access-control-expose-headers',
    'Retry-After, X-Request-Id, X-Precis-Report, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
  )
}
