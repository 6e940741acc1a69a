/** A problem that the service reports (RFC 9457), or a connection that failed. */
export class ServiceProblem extends Error {
  readonly type: string

  constructor(type: string, detail: string) {
    super(detail)
    this.name = 'ServiceProblem'
    this.type = type
  }
}

interface ServiceRequest {
  query?: URLSearchParams
  body?: BodyInit
  contentType?: string
  accept?: string
  signal?: AbortSignal | undefined
}

/**
 * Sends a request to the service that the page came from.
 * @returns the response, if its status is a success
 * @throws ServiceProblem; AbortError
 */
export async function send(path: string, request: ServiceRequest = {}): Promise<Response> {
  const { query, body, contentType, accept = 'application/json', signal } = request
  const token = readToken()
  const headers: Record<string, string> = { accept }
  if (contentType !== undefined) headers['content-type'] = contentType
  if (token !== null) headers['authorization'] = `Bearer ${token}`
  const url = query === undefined || query.size === 0 ? path : `${path}?${query.toString()}`
  const method = body === undefined ? 'GET' : 'POST'
  const response = await fetch(url, { method, headers, ...(body && { body }), ...(signal && { signal }) }).catch(
    (error: unknown) => {
      if (signal?.aborted === true) throw error
      throw new ServiceProblem('unreachable', 'The service cannot be reached. Check that it is running, and try again.')
    },
  )
  if (!response.ok) throw await readProblem(response)
  return response
}

async function readProblem(response: Response): Promise<ServiceProblem> {
  const text = await response.text()
  try {
    return problemOf(JSON.parse(text))
  } catch {
    return new ServiceProblem('unknown', `The service replied with the status ${response.status}.`)
  }
}

/** Returns a problem as the service writes it. */
export function problemOf(value: unknown): ServiceProblem {
  const { type = '', title = '', detail = title } = value as Record<string, string | undefined>
  return new ServiceProblem(type.replace('urn:precis:problem:', ''), detail)
}

const TOKEN = 'precis-token'

/** Returns the service token that was entered in this tab; null if there is none. */
export const readToken = (): string | null => sessionStorage.getItem(TOKEN)

/** Keeps a service token for this tab, until it is closed; undefined removes it. */
export function keepToken(token: string | undefined): void {
  if (token === undefined) sessionStorage.removeItem(TOKEN)
  else sessionStorage.setItem(TOKEN, token)
}

/** Keeps the token that the address has behind `#token=`, and takes it out of the address. */
export function keepTokenOfAddress(): void {
  const [, token] = /^#token=([\w-]+)$/.exec(location.hash) ?? []
  if (token === undefined) return
  keepToken(token)
  history.replaceState(null, '', location.pathname)
}
