import type { BranchSummaryReply, BranchSummaryRequest } from '../schemas/branch-summary.ts'
import type { ComparisonReply, ComparisonRequest } from '../schemas/comparison.ts'
import type { CompactionReply } from '../schemas/compaction-reply.ts'
import type { CompactionRequest } from '../schemas/compaction-request.ts'
import type { ContextReply, ContextRequest } from '../schemas/context.ts'
import type { HandoffReply, HandoffRequest } from '../schemas/handoff.ts'
import type { PlanReply, PlanRequest } from '../schemas/plan.ts'
import type { PrepareReply, PrepareRequest } from '../schemas/prepare.ts'
import type { PruneReply, PruneRequest } from '../schemas/prune.ts'
import type { RecallPassage, RecallReply, RecallRequest } from '../schemas/recall.ts'
import { readEvents } from '../text/read-events.ts'
import { checkRawReply, checkReply } from './check-reply.ts'
import { loginOf, refuseInvalidHeader } from './login.ts'
import { errorOf, isProblem, parse, PrecisError } from './precis-error.ts'
import { writeQuery } from './write-query.ts'
import { eachFromConnection, fromConnection, withRetries, type RetryOptions } from './retry.ts'

export type { BranchSummaryReply, BranchSummaryRequest, CompactionReply, CompactionRequest, HandoffReply }
export type { ContextReply, ContextRequest, HandoffRequest, PlanReply, PlanRequest, PruneReply, PruneRequest }
export type { PrepareReply, PrepareRequest, ComparisonReply, ComparisonRequest }
export type { RecallPassage, RecallReply, RecallRequest }
export { PrecisError }

/** The part of the fetch API that the client needs. */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body: string | Uint8Array; signal?: AbortSignal },
) => Promise<Response>

export interface ClientOptions extends RetryOptions {
  /** The address of the service, such as `http://127.0.0.1:8080`. A user name and a password in it are sent as Basic authentication. */
  url: string
  /** A service token, if the service runs with `PRECIS_TOKENS`. */
  token?: string
  /** Default: the global `fetch`. */
  fetch?: Fetch
}

/** The session file of an agent, as it is. All other fields are then in `query`. */
export type SessionDocument = string | Uint8Array

/** The size of the work that the service is about to send to its summarizer. */
export interface PlanEvent {
  windows: number
  promptTokens: number
  firstKeptEntryId?: string
  isSplitTurn?: boolean
  tokensBefore?: number
}

/** How many of the parts of a long conversation are done. */
export interface ProgressEvent {
  done: number
  total: number
  phase: 'summarize' | 'merge'
}

export interface CallOptions {
  /** Query parameters: the fields of a request whose body is a session file, such as `keepRecentTokens`. */
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
  signal?: AbortSignal
}

export interface SummaryOptions extends CallOptions {
  onPlan?: (plan: PlanEvent) => void
  onProgress?: (progress: ProgressEvent) => void
}

/** A reply that is not JSON: `reply=native`, `text`, or the id of a format. */
export interface RawReply {
  headers: Headers
  body: Uint8Array
}

/** A request with entries or messages of the caller's own types: the service checks them. */
type WithOwnTypes<Request> = Request extends { entries: unknown }
  ? Omit<Request, 'entries'> & { entries: readonly object[] }
  : Request extends { messages: unknown }
    ? Omit<Request, 'messages'> & { messages: readonly object[] }
    : Request

type Post<Request, Reply> = (
  request: WithOwnTypes<Request> | SessionDocument,
  options?: SummaryOptions,
) => Promise<Reply>

/** The routes of a service. The functions throw `PrecisError`, and `TypeError` if there is no connection. */
export interface Client {
  /** Compacts a session. */
  compact: Post<CompactionRequest, CompactionReply>
  /** Returns what a compaction would do, without a model. */
  plan: Post<PlanRequest, PlanReply>
  /** Writes the summary of a session in the background, for a later `compact` with the same session. */
  prepare: Post<PrepareRequest, PrepareReply>
  /** Removes old tool outputs, without a model. */
  prune: Post<PruneRequest, PruneReply>
  /** Returns the messages that the agent's model sees now. */
  context: Post<ContextRequest, ContextReply>
  /** Looks up what compactions have replaced, without a model. */
  recall: Post<RecallRequest, RecallReply>
  /** Compares a summary that the agent has written itself with one of the same entries. */
  compare: Post<ComparisonRequest, ComparisonReply>
  /** Summarizes a branch that the agent leaves. */
  summarizeBranch: Post<BranchSummaryRequest, BranchSummaryReply>
  /** Writes a document from which a new session continues. */
  handoff: Post<HandoffRequest, HandoffReply>
  /** Compacts a session, and returns it in another form: `native`, `text`, or the id of a format. */
  compactTo: (reply: string, document: SessionDocument, options?: CallOptions) => Promise<RawReply>
}

/**
 * Returns a client of a running service.
 * @throws TypeError if the URL is invalid, or if the token has characters that no header can have
 */
export function createClient(options: ClientOptions): Client {
  const openRequest = createOpenRequest(options)
  const post =
    (path: string): Post<object, never> =>
    async (request, call = {}) => {
      const send = openRequest(path, request, call)
      const read = async () => checkReply(path, await readReply(await fromConnection(send()), call))
      return withRetries(read, options, call.signal)
    }
  return {
    compact: post('/compaction'),
    plan: post('/compaction/plan'),
    prepare: post('/compaction/prepare'),
    prune: post('/prune'),
    context: post('/context'),
    recall: post('/recall'),
    compare: post('/compaction/compare'),
    summarizeBranch: post('/branch-summary'),
    handoff: post('/handoff'),
    compactTo: async (reply, document, call = {}) => {
      const send = openRequest('/compaction', document, { ...call, query: { ...call.query, reply } })
      return withRetries(async () => readRaw(reply, await fromConnection(send())), options, call.signal)
    },
  }
}

/** Writes a request, once for all its attempts. Returns the function that sends it. */
type OpenRequest = (path: string, request: object | string, call: SummaryOptions) => () => Promise<Response>

function createOpenRequest({ url, token, fetch: chosen }: ClientOptions): OpenRequest {
  const base = baseOf(url)
  const { origin, pathname } = base
  const authorization = token === undefined ? loginOf(base) : `Bearer ${token}`
  if (authorization !== undefined) refuseInvalidHeader(authorization)
  return (path, request, { signal, query = {}, onPlan, onProgress }) => {
    const isDocument = typeof request === 'string' || request instanceof Uint8Array
    const wantsEvents = onPlan !== undefined || onProgress !== undefined
    const headers = {
      'content-type': isDocument ? 'application/x-ndjson' : 'application/json',
      accept: wantsEvents ? 'text/event-stream, application/json' : 'application/json',
      ...(authorization !== undefined && { authorization }),
    }
    const body = isDocument ? request : JSON.stringify(request)
    const doFetch: Fetch = chosen ?? fetch
    const target = origin + pathname.replace(/(?<!\/)\/+$/, '') + path + writeQuery(query)
    return () => doFetch(target, { method: 'POST', headers, body, ...(signal && { signal }) })
  }
}

/** @throws TypeError that names the remedy: `URL` takes an address without `http://` for invalid, or its host for a scheme */
function baseOf(url: string): URL {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new TypeError('`url` must begin with http:// or https://, such as http://127.0.0.1:8080')
  return new URL(url)
}

async function readReply(response: Response, { onPlan, onProgress }: SummaryOptions): Promise<never> {
  const { ok, body, headers } = response
  if (!ok || body === null || !/^text\/event-stream\b/.test(headers.get('content-type') ?? ''))
    return replyOf(response, await fromConnection(response.text()))
  for await (const { event, data } of eachFromConnection(readEvents(body))) {
    if (event === 'plan') onPlan?.(JSON.parse(data) as PlanEvent)
    else if (event === 'progress') onProgress?.(JSON.parse(data) as ProgressEvent)
    else if (event === 'result' || event === 'problem') return replyOf(response, data)
  }
  const early = new TypeError('The service closed the connection before its reply was complete.')
  return fromConnection(Promise.reject(early))
}

/**
 * Returns a reply; its type is that of its route, which the caller knows.
 * @throws PrecisError also for a problem that came after the status 200 was sent
 */
function replyOf(response: Response, text: string): never {
  const value = parse(text)
  if (response.ok && isProblem(value)) throw new PrecisError(value)
  if (!response.ok || typeof value !== 'object' || value === null) throw errorOf(response, text)
  return value as never
}

async function readRaw(form: string, response: Response): Promise<RawReply> {
  const body = new Uint8Array(await fromConnection(response.arrayBuffer()))
  if (!response.ok) throw errorOf(response, new TextDecoder().decode(body))
  checkRawReply(form, response.headers)
  return { headers: response.headers, body }
}
