import { CHALLENGE_HEADER, createChallenge, isSame, PROOF_HEADER } from '../http/token-proof.ts'
import { fieldsOf, parseJson } from '../session/entry.ts'
import { describeError } from './describe-error.ts'
import { CliError } from './exit.ts'

/** How long a service may take to prove what it is. */
const PROOF_MS = 5000

/** The beginning of the types of all problems of a service. */
const PROBLEM = 'urn:precis:problem:'

/**
 * Has a service prove that it knows our token, without getting it: before that, it gets nothing of a session. Without a token, its address
 * must be of `https:`, where its certificate proves it.
 * @param isOfAddress whether the token is that of the address
 * @throws CliError
 */
export async function proveService(url: string, token: string | undefined, isOfAddress = false): Promise<void> {
  const challenge = token === undefined ? undefined : createChallenge(token)
  if (challenge === undefined && URL.parse(url)?.protocol !== 'https:')
    throw unproven(
      url,
      'Without a token, it cannot prove that it is yours. Start it with PRECIS_TOKENS, and give the token to the hook, too: in ' +
        'PRECIS_TOKENS, or with "url" and "token-file" in the configuration',
    )
  const { problem, proof = '' } = await askWithoutToken(url, challenge?.header)
  if (problem === undefined) throw unproven(url, 'It does not answer as a service of Précis')
  if (challenge === undefined || isSame(proof, challenge.proof)) return
  const source = isOfAddress
    ? 'its address'
    : 'PRECIS_TOKENS, or of "token-file" or "token-variable" in the configuration file'
  throw unproven(
    url,
    `It has not proved that it knows the token of ${source} (${problem}). Start it with this token, or use one of its own`,
  )
}

const unproven = (url: string, why: string): CliError =>
  new CliError('service', `No session was sent to ${originOf(url)}. ${why}.`)

/** Asks for a plan of nothing. Returns the problem; undefined if it is none of Précis. */
async function askWithoutToken(
  url: string,
  challenge: string | undefined,
): Promise<{ problem: string | undefined; proof?: string | undefined }> {
  const { origin, pathname } = new URL(url)
  try {
    const response = await fetch(`${origin}${pathname.replace(/\/$/, '')}/compaction/plan`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(challenge !== undefined && { [CHALLENGE_HEADER]: challenge }),
      },
      body: '{}',
      redirect: 'error',
      signal: AbortSignal.timeout(PROOF_MS),
    })
    const { type } = fieldsOf(parseJson(await response.text()))
    const isOurs = typeof type === 'string' && type.startsWith(PROBLEM)
    return {
      problem: isOurs ? type.slice(PROBLEM.length) : undefined,
      proof: response.headers.get(PROOF_HEADER) ?? undefined,
    }
  } catch (cause) {
    if (cause instanceof TypeError) throw new CliError('service', describeError(cause, { url }).message, { cause })
    throw new CliError('service', `${originOf(url)} cannot be reached: ${(cause as Error).message}`, { cause })
  }
}

const originOf = (url: string): string => URL.parse(url)?.origin ?? 'the service of --url'
