import type { Environment } from '../../environment.ts'
import { fieldsOf, parseJson } from '../../session/entry.ts'
import { CliError } from '../exit.ts'
import { openService, type Service } from '../service.ts'

/** How long a service may take to show that it is one. */
const PROOF_MS = 5000

/** The beginning of the types of all problems of a service. */
const PROBLEM = 'urn:precis:problem:'

/**
 * Returns a client of a service that has shown to be one, and to accept our token: before that, it gets nothing of a session.
 * First, it is asked without the token, which no stranger gets; then with it, for the plan of no messages.
 * @throws CliError
 */
export async function openProvenService(url: string, env: Environment): Promise<Service> {
  const service = await openService({ url, env })
  const problem = await problemWithoutToken(url)
  if (problem === undefined)
    throw new CliError('service', `${originOf(url)} does not answer as a service of Précis. Nothing was sent to it.`)
  try {
    await service.client.plan({ messages: [] }, { signal: AbortSignal.timeout(PROOF_MS) })
  } catch (error) {
    const { type } = error as { type?: unknown }
    // A session without messages is refused, but its token was accepted.
    if (type === 'token-refused' || typeof type !== 'string') throw error
  }
  return service
}

/** Asks for the plan of no messages, without the token. Returns the type of the problem; undefined if it is none of Précis. */
async function problemWithoutToken(url: string): Promise<string | undefined> {
  const { origin, pathname } = new URL(url)
  try {
    const response = await fetch(`${origin}${pathname.replace(/\/$/, '')}/compaction/plan`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      redirect: 'error',
      signal: AbortSignal.timeout(PROOF_MS),
    })
    const { type } = fieldsOf(parseJson(await response.text()))
    return typeof type === 'string' && type.startsWith(PROBLEM) ? type : undefined
  } catch (cause) {
    throw new CliError('service', `${originOf(url)} cannot be reached: ${(cause as Error).message}`, { cause })
  }
}

const originOf = (url: string): string => URL.parse(url)?.origin ?? 'The service of --url'
