import { promisify } from 'node:util'
import { brotliDecompress, unzip } from 'node:zlib'
import { Agent, type Dispatcher } from 'undici'
import { readPackage } from '../../own-package.ts'
import { ForeignRedirect, ReplyTooLarge } from './failure.ts'

/** Turns off undici's own time-outs: the call's signal is the only limit. */
const NO_TIMEOUT = 0

/** How long idle connections stay open: shorter than servers keep them, longer than an agent's pause between calls. */
const KEEP_ALIVE_MS = 30_000
const MAX_REDIRECTIONS = 3

/** The largest summaries have some 100 KB. Servers add as much thinking, and a few numbers. */
const MAX_REPLY_BYTES = 4 * 1024 * 1024

/** Error texts are short. A longer one is a page or an echo of the prompt, and its beginning is enough. */
const MAX_ERROR_BYTES = 16 * 1024

const { version } = readPackage()

/** A Response with one of these statuses must not have a body (WHATWG fetch, "null body status"). */
const hasNoBody = (status: number): boolean => [204, 205, 304].includes(status)

/**
 * Creates a fetch over one pool of connections, for a client that sends and receives whole JSON texts: it needs no
 * streams. Node's own fetch gives up after 300 s without a reply's head; this one waits for its signal. It rejects with
 * `ReplyTooLarge` and `ForeignRedirect`.
 */
export function createPooledFetch(): typeof fetch {
  const agent = new Agent({
    headersTimeout: NO_TIMEOUT,
    bodyTimeout: NO_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_MS,
  })
  return (input, init) => request(agent, input, init)
}

/**
 * Sends a request, and follows redirects within its origin with the same method and body. Another origin would receive
 * the prompt without the operator's consent.
 */
async function request(agent: Agent, input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  let url = new URL(input instanceof Request ? input.url : input)
  const signal = init.signal ?? null
  const fixed = {
    method: init.method ?? 'GET',
    headers: ownHeaders(init.headers),
    body: (init.body ?? null) as string | null,
    signal,
  }
  for (let redirections = 0; ; redirections++) {
    const { origin, pathname, search } = url
    const reply = await agent.request({ ...fixed, origin, path: pathname + search })
    const target = redirections < MAX_REDIRECTIONS ? redirectTarget(reply, url) : undefined
    if (target === undefined) return toResponse(reply)
    await reply.body.dump({ limit: MAX_ERROR_BYTES, ...(signal && { signal }) })
    if (target.origin !== origin) throw new ForeignRedirect()
    url = target
  }
}

/** Returns the headers to send: without those in which the SDK describes this machine, and with our own name. */
function ownHeaders(init: RequestInit['headers']): Record<string, string> {
  const headers = Array.from(new Headers(init)).filter(([name]) => !name.startsWith('x-stainless-'))
  return { ...Object.fromEntries(headers), 'user-agent': `precis/${version}` }
}

/** Statuses after which the same request may be sent to another address. 303 asks for a GET, which has no completion. */
const REDIRECTS = new Set([301, 302, 307, 308])

function redirectTarget({ statusCode, headers }: Dispatcher.ResponseData, base: URL): URL | undefined {
  const { location } = headers
  return REDIRECTS.has(statusCode) && typeof location === 'string'
    ? (URL.parse(location, base.href) ?? undefined)
    : undefined
}

async function toResponse({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Response> {
  const isError = statusCode >= 400
  const reading = readText(body, { encoding: headers['content-encoding'], isError })
  // The status of an error counts even when its body breaks off.
  const text = isError ? await reading.catch(() => '') : await reading
  const known = asHeaders(headers)
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) known.delete(name)
  // Some servers send a completion as text/plain, or without a type: only the SDK's JSON parser decides what it is.
  known.set('content-type', 'application/json')
  return new Response(hasNoBody(statusCode) ? null : text, { status: statusCode, headers: known })
}

interface Encoded {
  encoding: string | string[] | undefined
  isError: boolean
}

/**
 * Reads a body up to its limit. Of an error the beginning is enough.
 * @throws ReplyTooLarge when a reply is longer than the limit, before or after decompression
 */
async function readText(body: AsyncIterable<Buffer>, { encoding, isError }: Encoded): Promise<string> {
  const limit = isError ? MAX_ERROR_BYTES : MAX_REPLY_BYTES
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    // Leaving the loop closes the connection.
    if (length > limit) break
  }
  if (length > limit && !isError) throw new ReplyTooLarge()
  const bytes = await decompress(Buffer.concat(chunks).subarray(0, limit), String(encoding), limit)
  return bytes.toString()
}

const DECOMPRESSORS = new Map([
  ['gzip', promisify<Buffer, { maxOutputLength: number }, Buffer>(unzip)],
  ['x-gzip', promisify<Buffer, { maxOutputLength: number }, Buffer>(unzip)],
  ['deflate', promisify<Buffer, { maxOutputLength: number }, Buffer>(unzip)],
  ['br', promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress)],
])

/** Decompresses a body that some gateways compress although the request did not allow it. */
async function decompress(bytes: Buffer, encoding: string, maxOutputLength: number): Promise<Buffer> {
  const run = DECOMPRESSORS.get(encoding.toLowerCase())
  try {
    return run === undefined ? bytes : await run(bytes, { maxOutputLength })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new ReplyTooLarge()
    // Not what its header says: the JSON parser decides.
    return bytes
  }
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
