import { PassThrough } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { problemBody } from './error-format.ts'
import { toProblem } from './problems.ts'
import { ClientDisconnected, type RequestBudget } from './request-budget.ts'

/** Produces a reply as JSON, and may report its plan and its progress meanwhile. */
export type ReplyProducer = (budget: RequestBudget & ProgressListener) => Promise<Buffer>

/** Receives what becomes events, if the client asked for an event stream. */
interface ProgressListener {
  onPlan?: (plan: object) => void
  onProgress?: (progress: object) => void
}

interface StreamOptions {
  produce: ReplyProducer
  /** How often a waiting reply sends something, so that idle proxies keep the connection open, in milliseconds; 0: never. */
  heartbeatMs: number
}

/** Idle proxies close a connection without data after a minute or less, so an event stream is never silent for that long. */
const EVENT_HEARTBEAT_MS = 15_000

export const EVENT_STREAM = 'text/event-stream; charset=utf-8'

/**
 * Produces a reply and sends it in the way that the client asked for: as JSON; as JSON with spaces before it while the
 * client waits; or, for `Accept: text/event-stream`, as events (WHATWG HTML, "Server-sent events"). An error before the
 * first byte is thrown, and gets its status; a later one is a problem in the body of the reply.
 */
export async function streamReply(
  request: FastifyRequest,
  reply: FastifyReply,
  { produce, heartbeatMs }: StreamOptions,
): Promise<FastifyReply> {
  if (wantsEvents(request))
    return replyInPieces(request, reply, { produce, heartbeatMs: heartbeatMs || EVENT_HEARTBEAT_MS, form: EVENTS })
  if (heartbeatMs > 0) return replyInPieces(request, reply, { produce, heartbeatMs, form: SPACES })
  const json = await produce(request.budget)
  return sendJson(reply, json)
}

/** Sends a reply that is JSON already. */
export function sendJson(reply: FastifyReply, json: Buffer): FastifyReply {
  return reply.type(JSON_TYPE).send(json)
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Returns the headers of a reply that is sent in pieces: neither nginx nor another proxy may buffer or store it. */
export function streamHeaders(contentType: string) {
  return { 'content-type': contentType, 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
}

/** Only clients that name the type get events: browsers and libraries accept anything. */
function wantsEvents({ headers }: FastifyRequest): boolean {
  return /\btext\/event-stream\b/i.test(headers.accept ?? '')
}

/** The texts around the parts of a reply in pieces, and those that it sends while the client waits. */
interface StreamForm {
  contentType: string
  pulse: string
  before: (event: string) => string
  after: string
}

/** JSON has no line ends of its own, as events require. */
const EVENTS: StreamForm = {
  ...{ contentType: EVENT_STREAM, pulse: ':\n\n', after: '\n\n' },
  before: (event) => `event: ${event}\ndata: `,
}

const SPACES: StreamForm = { contentType: JSON_TYPE, pulse: ' ', before: () => '', after: '' }

async function replyInPieces(
  { budget, facts }: FastifyRequest,
  reply: FastifyReply,
  { produce, heartbeatMs, form }: StreamOptions & { form: StreamForm },
): Promise<FastifyReply> {
  const body = openBody(reply, form.contentType, budget.signal)
  const send = (event: string, json: string | Buffer): void => {
    body.write(form.before(event))
    body.write(json)
    body.write(form.after)
  }
  const sendObject = (event: string) => (value: object) => send(event, JSON.stringify(value))
  const timer = setInterval(() => body.write(form.pulse), heartbeatMs)
  const listener = form === EVENTS ? { onPlan: sendObject('plan'), onProgress: sendObject('progress') } : {}
  try {
    const json = await produce({ ...budget, ...listener })
    if (budget.signal.reason instanceof ClientDisconnected) throw budget.signal.reason
    if (form === SPACES && !body.hasBegun()) return await sendJson(reply, json)
    send('result', json)
  } catch (error) {
    if (!body.hasBegun()) throw error
    if (!(error instanceof ClientDisconnected)) sendObject('problem')(recordProblem(error, facts))
  } finally {
    clearInterval(timer)
  }
  body.end()
  return reply
}

/** Returns the body of a problem and records its type for the log line: the status 200 has been sent already. */
function recordProblem(error: unknown, facts: FastifyRequest['facts']) {
  const problem = toProblem(error)
  Object.assign(facts, { problem: problem.type, ...problem.facts })
  return problemBody(problem)
}

/**
 * Returns a body whose headers are sent, with status 200, by its first write. It does not begin on a closed connection, where
 * Fastify would take the end of the stream for an internal error.
 */
function openBody(reply: FastifyReply, contentType: string, signal: AbortSignal) {
  const stream = new PassThrough()
  let hasBegun = false
  return {
    hasBegun: () => hasBegun,
    write(text: string | Buffer): void {
      if (!hasBegun && signal.reason instanceof ClientDisconnected) return
      if (!hasBegun) {
        hasBegun = true
        void reply.headers(streamHeaders(contentType))
        void reply.send(stream)
      }
      stream.write(text)
    },
    end: () => stream.end(),
  }
}
