import { Agent, interceptors, type Dispatcher } from 'undici'

/** Turns off undici's own time-outs: the call's signal is the only limit. */
const NO_TIMEOUT = 0

/** How long idle connections stay open: shorter than servers keep them, longer than an agent's pause between calls. */
const KEEP_ALIVE_MS = 30_000
const MAX_REDIRECTIONS = 3

/** A Response with one of these statuses must not have a body (WHATWG fetch, "null body status"). */
const hasNoBody = (status: number): boolean => [204, 205, 304].includes(status)

/**
 * Creates a fetch over one pool of connections, for a client that sends and receives whole texts: it needs no streams.
 * Node's own fetch gives up after 300 s without a reply's head; this one waits for its signal.
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
  // The status of an error counts even when its body breaks off.
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
 * Wraps fetch so that the message of the SDK's errors is the whole body. The SDK keeps only what is under `error`: vLLM
 * before 0.10, Mistral and FastAPI put the text elsewhere, so a rejected parameter or a prompt that is too long would
 * go unnoticed.
 */
export function keepErrorBodies(fetchUpstream: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await fetchUpstream(input, init)
    if (response.status < 400) return response
    // The status counts even when the body breaks off.
    const message = await response.text().catch(() => '')
    return Response.json({ error: { message } }, { status: response.status, headers: response.headers })
  }
}
