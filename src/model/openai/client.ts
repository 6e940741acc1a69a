import { Agent, interceptors, type Dispatcher } from 'undici'

/** A server's answer to a call may take as long as the call may: its budget is the only clock. */
const NO_TIMEOUT = 0

/** Idle connections are kept so long: shorter than servers' own patience, longer than an agent's pause between calls. */
const KEEP_ALIVE_MS = 30_000
const MAX_REDIRECTIONS = 3

/** A Response of these may not have one (WHATWG fetch, "null body status"). */
const hasNoBody = (status: number): boolean => [204, 205, 304].includes(status)

/**
 * Creates a fetch over one pool of connections, for a client whose bodies are texts: what it sends and gets it has whole, so
 * that no streams stand between. Node's own gives up on an answer's head after 300 s; this one waits for its signal.
 */
export function createPooledFetch(): typeof fetch {
  const agent = new Agent({
    headersTimeout: NO_TIMEOUT,
    bodyTimeout: NO_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_MS,
  })
  const dispatcher = agent.compose(interceptors.redirect({ maxRedirections: MAX_REDIRECTIONS }))
  return (input, init) => request(dispatcher, input, init)
}

async function request(dispatcher: Dispatcher, input: string | URL | Request, init: RequestInit = {}) {
  const { origin, pathname, search } = new URL(input instanceof Request ? input.url : input)
  const { statusCode, headers, body } = await dispatcher.request({
    origin,
    path: pathname + search,
    method: init.method ?? 'GET',
    headers: Object.fromEntries(new Headers(init.headers)),
    body: (init.body ?? null) as string | null,
    signal: init.signal ?? null,
  })
  // An error's status counts even where its body breaks off.
  const text = await body.text().catch((error: unknown) => (statusCode < 400 ? Promise.reject(error as Error) : ''))
  return new Response(hasNoBody(statusCode) ? null : text, { status: statusCode, headers: asHeaders(headers) })
}

function asHeaders(incoming: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming))
    for (const one of [value ?? []].flat()) headers.append(name, one)
  return headers
}
/**
 * Wraps fetch so that the SDK's errors carry all that a server said, as their message. The SDK keeps only what stands
 * under `error` in the body: vLLM before 0.10, Mistral and FastAPI put it elsewhere, and which parameter was refused
 * or that the prompt was too long would be lost.
 */
export function keepErrorBodies(fetchUpstream: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await fetchUpstream(input, init)
    if (response.status < 400) return response
    // The status counts even where the body breaks off.
    const message = await response.text().catch(() => '')
    return Response.json({ error: { message } }, { status: response.status, headers: response.headers })
  }
}
