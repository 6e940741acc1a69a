import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { Problem } from '../errors.ts'
import type { OnRefused } from './admission.ts'
import { factsOf } from './request-facts.ts'
import { CHALLENGE_HEADER, PROOF_HEADER, proofOf } from './token-proof.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The digest of the caller's service token; empty if no tokens are set. */
    tokenDigest: string
  }
}

const REMEDY = 'Send a service token as Bearer, as the password of Basic authentication, or in the header X-Api-Key.'

/** Returns what is wrong with the tokens of a request, and what to do. */
function describeRefusal(shown: readonly string[]): string {
  if (shown.some((token) => token !== '')) return `The service does not know this token. ${REMEDY}`
  return shown.length === 0 ? REMEDY : `The header of the token is empty, or of an unknown scheme. ${REMEDY}`
}

/**
 * Other headers with a token: that of Anthropic's API, and those of gateways that call a compressor. Their `Authorization`
 * may be meant for another server.
 */
const TOKEN_HEADERS = ['x-api-key', 'x-headroom-token', 'x-headroom-proxy-token'] as const

/** Wrong tokens that one address may send in a minute before it gets 429: a misconfigured client sends fewer. */
const MAX_WRONG_TOKENS = 20

const WINDOW_SECONDS = 60

/**
 * Admits only callers with a service token, before the body is read. The token is sent as Bearer, or as the password of
 * Basic with any user name: `http://x:TOKEN@host/compaction` is the only way an unmodified oh-my-pi can send it. Clients of
 * other APIs send it in a header of their own.
 * Addresses that try many wrong tokens get 429; a right token is admitted from there too. A caller without a token that shows that it
 * knows one (token-proof.ts) is refused with the proof that this service knows it, too.
 * @param tokens if there are none, everybody is admitted
 */
export function requireToken(app: FastifyInstance, tokens: readonly string[], onRefused: OnRefused): void {
  app.decorateRequest('tokenDigest', '')
  if (tokens.length === 0) return
  const digests = tokens.map(digest)
  const refuseGuesses = limitGuesses(onRefused)
  app.addHook('onRequest', async (request, reply) => {
    const { isProbe, isPublic, tokenRefusedStatus } = request.routeOptions.config
    if (isProbe === true || isPublic === true) return
    const tokensShown = readTokens(request)
    const shown = tokensShown.map(digest)
    const positions = shown.map((one) => positionOf(one, digests))
    const position = positions.find((one) => one > 0)
    if (position !== undefined) {
      request.tokenDigest = digests[position - 1]?.toString('base64url') ?? ''
      factsOf(request)['token'] = position
      return
    }
    const challenge = request.headers[CHALLENGE_HEADER]
    const proof = typeof challenge === 'string' ? proofOf(challenge, tokens) : undefined
    if (proof !== undefined) void reply.header(PROOF_HEADER, proof)
    else if (shown.length > 0 || challenge !== undefined) await refuseGuesses(request, reply)
    if (tokenRefusedStatus === undefined) void reply.header('www-authenticate', challengesFor(request))
    const options = tokenRefusedStatus === undefined ? {} : { status: tokenRefusedStatus }
    throw new Problem('token-refused', describeRefusal(tokensShown), options)
  })
}

/** A browser would ask its user for a name and a password if a script of a page got the Basic challenge. */
const challengesFor = ({ headers }: FastifyRequest): string =>
  headers['sec-fetch-dest'] === 'empty' ? 'Bearer realm="precis"' : 'Bearer realm="precis", Basic realm="precis"'

/** Returns a function that counts a wrong token. @throws Problem if there were too many from the address */
function limitGuesses(onRefused: OnRefused) {
  const limiter = new RateLimiterMemory({ points: MAX_WRONG_TOKENS, duration: WINDOW_SECONDS })
  return async ({ ip }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { consumedPoints, msBeforeNext } = await limiter.penalty(ip)
    if (consumedPoints <= MAX_WRONG_TOKENS) return
    const waitSeconds = Math.ceil(msBeforeNext / 1000)
    void reply.header('retry-after', waitSeconds)
    onRefused('wrong-tokens')
    throw new Problem(
      'rate-limited',
      `More than ${MAX_WRONG_TOKENS} wrong service tokens came from this address in a minute. ` +
        `Check the token, and send the next request in ${waitSeconds} s.`,
    )
  }
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Returns the tokens of a request, of which one must be known. */
function readTokens({ headers }: FastifyRequest): string[] {
  const { authorization } = headers
  const others = TOKEN_HEADERS.flatMap((name) => headers[name] ?? [])
  return authorization === undefined ? others : [readToken(authorization), ...others]
}

function readToken(authorization: string): string {
  const [scheme = '', value = ''] = authorization.split(' ', 2)
  if (scheme.toLowerCase() === 'bearer') return value
  const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString() : ''
  const colon = pair.indexOf(':')
  return colon === -1 ? '' : pair.slice(colon + 1)
}

/**
 * Returns the position of a token among those of the service, from 1; 0 if it is none of them. It takes the same time for every
 * token: digests have one length, and all of them are compared.
 */
function positionOf(shown: Buffer, digests: readonly Buffer[]): number {
  return digests.reduce((position, one, index) => (timingSafeEqual(shown, one) ? index + 1 : position), 0)
}
