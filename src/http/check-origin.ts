import { isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import { withoutFinalDot } from '../text/host-name.ts'

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

interface HostOptions {
  /** The address that the service listens on. */
  host: string
  /** Names that the operator has given the service, in lower case. */
  hosts: readonly string[]
  /** The service tokens. */
  tokens: readonly string[]
}

/**
 * Refuses requests for a name that a web page may have pointed to this service ("DNS rebinding"), before a body is read: a
 * browser sends the name of the page as `Host`, and the page's own script may read the reply.
 * - A service at a loopback address accepts only `localhost` and loopback addresses.
 * - At other addresses, a service without tokens accepts only names that cannot be registered in the public DNS: an address,
 *   a name without a dot, or one of a cluster. The probes of orchestrators may send another one. With tokens, all names are
 *   accepted: a page has no token.
 */
export function checkHost(app: FastifyInstance, { host, hosts, tokens }: HostOptions): void {
  const isLocal = isLoopback(host)
  app.addHook('onRequest', async (request) => {
    countHosts(request)
    const name = nameOf(request.headers.host)
    if (name === undefined || hosts.includes(name)) return
    if (isLocal && !isLoopback(name)) throw new Problem('wrong-host', OTHERS_THAN_LOOPBACK)
    if (tokens.length === 0 && request.routeOptions.config.isProbe !== true && !isPrivate(name))
      throw new Problem('wrong-host', PUBLIC_NAME)
  })
}

/** Returns true for an address or a name that only programs on the same machine reach. */
function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i.test(host)
}

const REMEDY = 'The operator can list another name in PRECIS_HOSTS.'

const OTHERS_THAN_LOOPBACK =
  'This service listens on a loopback address (HOST), so Host must be localhost, 127.0.0.1 or [::1], with any port. ' +
  `Behind a proxy, let the proxy send Host: localhost. ${REMEDY}`

const PUBLIC_NAME =
  'This service has no tokens (PRECIS_TOKENS), so Host must be an address, localhost, a name without a dot, or one that ends ' +
  `in .svc, .svc.cluster.local or .internal, with any port. ${REMEDY}`

/** A request has one `Host` (RFC 9112, section 3.2). */
function countHosts({ raw }: FastifyRequest): void {
  const count = raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
  if (count > 1 || (count === 0 && raw.httpVersion !== '1.0'))
    throw new Problem('invalid-request', `A request needs one Host header; this one has ${count}.`)
}

/** Returns the name or address of a `Host`, in lower case, without its port and the dot of an absolute name. */
const nameOf = (host: string | undefined): string | undefined =>
  host === undefined ? undefined : withoutFinalDot(host.replace(/:\d{1,5}$/, '').toLowerCase())

/**
 * Domains that cannot be registered in the public DNS: those of Kubernetes' Services, and the one that ICANN keeps for private use
 * (2024).
 */
const PRIVATE_DOMAINS = ['.svc', '.svc.cluster.local', '.internal']

/** Letters, digits, `-` and `_`: a URL has no others, and `[::1]` is no such name. */
const LABEL = /^[a-z0-9_-]+$/

function isPrivate(name: string): boolean {
  const address = name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name
  if (isIP(address) !== 0 || LABEL.test(name)) return true
  return PRIVATE_DOMAINS.some((domain) => name.endsWith(domain))
}
