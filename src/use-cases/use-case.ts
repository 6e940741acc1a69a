import type { TObject, TProperties, TSchema } from '@sinclair/typebox'
import type { ProblemType } from '../errors.ts'
import type { ReceivedRequest } from '../jobs/job-runner.ts'
import type { Work } from '../jobs/protocol.ts'
import type { Services } from '../jobs/services.ts'

/**
 * One thing that a client can ask: everything that HTTP and OpenAPI need to know of it. The main process loads these records
 * at its start, so that they import only schemas.
 */
export interface UseCase<Modes = unknown> {
  path: string
  /** The name of its function in generated clients: a change of it breaks their callers. Its examples have this name too. */
  operationId: string
  summary: string
  description?: string
  tag: 'compaction' | 'session'
  /** The schemes of service tokens that its clients send; default: those of all routes. */
  security?: Record<string, string[]>[]
  headers?: TObject
  /** The query parameters, beside those that the body has for a session file. */
  query?: TObject
  body: TSchema | SessionBody
  reply: TSchema
  /** The events of its streamed reply; left out if it replies with JSON only. */
  events?: string
  /** The problems that its clients may get. */
  problems: readonly ProblemType[]
  /** The status that refuses a service token, if it is not 401. */
  tokenRefusedStatus?: 404
  /** Whether it waits for a place in the service and is refused while the queue is full, as summaries are. */
  isQueued: boolean
  usesPrepared?: true
  /** The description of its reply 202, with which work for the request goes on. */
  acceptedDescription?: string
  /** Starts what answers its requests, if that has a state of its own; otherwise its work answers each of them. */
  open?: (services: Services) => UseCaseHandler
  /** Loads its work: only processes that do it need that. */
  load: () => Promise<Work<Modes>>
  /** Returns what headers and query have chosen, for its work. @throws Problem */
  readModes?: (request: HeadersAndQuery) => Modes
  /** Returns the reply in the format of another API, made from that of its work. The report is in a header. */
  render?: (json: Buffer) => RenderedReply
}

/** A request without its body. */
export interface HeadersAndQuery {
  headers: Readonly<Record<string, string | string[] | undefined>>
  query: Readonly<Record<string, unknown>>
}

/** A reply in the format of another API: JSON, a value that is sent as JSON, or the text of an event stream. */
type RenderedReply = { json: Buffer | object } | { events: string }

/** The answering part of a use case that lives as long as the service. */
export interface UseCaseHandler {
  /** @throws Problem; the reason of the signal */
  answer: (request: OpenedRequest) => Promise<OpenedReply>
}

interface OpenedReply {
  /** JSON. */
  body: Buffer
  /** Counts and names for the log line. */
  facts: Readonly<Record<string, unknown>>
  /** 202 if work for the request goes on. */
  status?: 202
}

export interface OpenedRequest extends Pick<HeadersAndQuery, 'headers'> {
  received: ReceivedRequest
  budget: { signal: AbortSignal; caller: string; tokenDigest: string }
}

/** A body that has a session, in any of its forms. */
export interface SessionBody {
  /** The beginning of the names of its forms. */
  name: string
  /** The schema of each form, by the field that only this form has. */
  forms: Readonly<Record<string, TSchema>> & { entries: TSchema & { properties: TProperties } }
  /** The description of its own example, which has the form `entries`; left out if it has the examples of all routes. */
  ownExample?: string
}

export const isSession = (body: UseCase['body']): body is SessionBody => 'forms' in body

/**
 * The policy of use cases that agents call. On 401, 402 and 403 oh-my-pi rotates its user's own provider keys and blames
 * them (docs/clients.md, measured on 18.2.3), so a refused service token is a 404 there.
 */
export const CALLED_BY_AGENTS = { tokenRefusedStatus: 404 } as const
