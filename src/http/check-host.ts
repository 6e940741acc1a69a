import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import { withoutFinalDot } from '../text/host-name.ts'

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
