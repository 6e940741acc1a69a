import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'

/** Headers of every reply that has no such header of its own: browsers neither guess its type, store, run nor frame it. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const

/** The sources that the page and the reference need, and nothing from other servers. */
export const DOCS_PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

interface OriginOptions {
  /** Origins whose pages may use the service (Fetch, "HTTP-network-or-cache fetch": `Origin`). */
  corsOrigins: readonly string[]
}

/**
 * Refuses requests of web pages of other origins, unless the origin is listed, before a body is read (`checkHost` refuses
 * pages that have pointed their own name to this service).
 */
export function checkOrigin(app: FastifyInstance, { corsOrigins }: OriginOptions): void {
  app.addHook('onRequest', async (request, reply) => {
    refuseExpectation(request)
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

/** Node would answer an unknown expectation itself, without a problem (RFC 9110, section 10.1.1). */
function refuseExpectation({ headers: { expect } }: FastifyRequest): void {
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    throw new Problem('expectation-failed', 'The only known value of Expect is 100-continue. Leave the header out.')
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
    'Retry-After, X-Request-Id, X-Precis-Report, X-Precis-Native, X-Precis-Format, X-Precis-Not-Carried, X-Precis-Parts, ' +
      'X-Precis-Summary, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
  )
}
