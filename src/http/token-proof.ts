import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * How a service shows that it knows a token before the token is sent to it. The caller shows first that it knows the token too, so
 * that a stranger learns nothing from a service. Both send an HMAC (RFC 2104) of a number that the caller has chosen at random.
 */

/** The header with the number and the caller's HMAC of it: `NUMBER.HMAC`. */
export const CHALLENGE_HEADER = 'x-precis-challenge'

/** The header with the service's HMAC of the number. */
export const PROOF_HEADER = 'x-precis-proof'

/** A challenge, and what proves that a service knows its token. */
interface Challenge {
  header: string
  proof: string
}

export function createChallenge(token: string): Challenge {
  const number = randomBytes(16).toString('base64url')
  return { header: `${number}.${macOf(token, 'caller', number)}`, proof: macOf(token, 'service', number) }
}

/** Returns the proof for a challenge; undefined if its caller knows none of the tokens. */
export function proofOf(header: string, tokens: readonly string[]): string | undefined {
  const [number = '', mac = ''] = header.split('.')
  // All tokens are compared: the time says nothing of them.
  const [known] = tokens.filter((token) => isSame(mac, macOf(token, 'caller', number)))
  return known === undefined ? undefined : macOf(known, 'service', number)
}

export function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const macOf = (token: string, who: 'caller' | 'service', number: string): string =>
  createHmac('sha256', token).update(`precis ${who} ${number}`).digest('base64url')
