import type { FastifyReply, FastifyRequest } from 'fastify'
import { PassThrough } from 'node:stream'
import { ClientDisconnected, type RequestBudget } from './request-budget.ts'
import { problemBody, toProblem } from './problems.ts'

/** Work that tells how far it is. What it tells is for those who asked for events. */
export type ReportingWork<T> = (budget: RequestBudget & ProgressListener) => Promise<T>

export interface ProgressListener {
  onPlan?: (plan: object) => void
  onProgress?: (progress: object) => void
}

interface AnswerOptions<T> {
  work: ReportingWork<T>
  /** How often a waiting reply sends something, so that idle proxies keep it open, in milliseconds; 0: never. */
  heartbeatMs: number
}

/** Idle proxies close what is silent for a minute or less: an event stream is never silent for so long. */
const EVENT_HEARTBEAT_MS = 15_000

/** An event stream is only for who names it: browsers and libraries accept anything. */
const wantsEvents = ({ headers }: FastifyRequest): boolean => /\btext\/event-stream\b/i.test(headers.accept ?? '')

/** The head of a reply that comes in pieces: nginx holds back what it may buffer, and a proxy may keep what it may store. */
export const streamHeaders = (contentType: string) => ({
  'content-type': contentType,
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
})

export const EVENT_STREAM = 'text/event-stream; charset=utf-8'

/**
 * Does a request's work and answers in the way that was asked for: as JSON; as JSON with spaces before it while it is
 * waited for; or, for `Accept: text/event-stream`, as events (WHATWG HTML, "Server-sent events"). What fails before the
 * reply has begun is thrown, and gets its status; afterwards it is a problem in the reply's body.
 * @returns the result, to be sent; or, to Fastify, the reply, which has been sent
 */
export async function streamReply<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  { work, heartbeatMs }: AnswerOptions<T>,
): Promise<T> {
  if (wantsEvents(request))
    return answerWithEvents(request, reply, { work, heartbeatMs: heartbeatMs || EVENT_HEARTBEAT_MS })
  return heartbeatMs === 0 ? work(request.budget) : answerWithHeartbeat(request, reply, { work, heartbeatMs })
}

async function answerWithEvents<T>(
  { budget, facts }: FastifyRequest,
  reply: FastifyReply,
  { work, heartbeatMs }: AnswerOptions<T>,
): Promise<T> {
  const body = openBody(reply, EVENT_STREAM)
  const send = (event: string, data: unknown): void => {
    body.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }
  const timer = setInterval(() => {
    body.write(':\n\n')
  }, heartbeatMs)
  const telling = {
    onPlan: (plan: object) => {
      send('plan', plan)
    },
    onProgress: (progress: object) => {
      send('progress', progress)
    },
  }
  try {
    send('result', await work({ ...budget, ...telling }))
  } catch (error) {
    if (!body.hasBegun()) throw error
    if (!(error instanceof ClientDisconnected)) send('problem', problemOf(error, facts))
  } finally {
    clearInterval(timer)
  }
  body.end()
  return reply as T
}

async function answerWithHeartbeat<T>(
  { budget, facts }: FastifyRequest,
  reply: FastifyReply,
  { work, heartbeatMs }: AnswerOptions<T>,
): Promise<T> {
  const body = openBody(reply, 'application/json; charset=utf-8')
  const timer = setInterval(() => {
    body.write(' ')
  }, heartbeatMs)
  try {
    const result = await work(budget)
    if (!body.hasBegun()) return result
    body.write(JSON.stringify(result))
  } catch (error) {
    if (!body.hasBegun()) throw error
    if (!(error instanceof ClientDisconnected)) body.write(JSON.stringify(problemOf(error, facts)))
  } finally {
    clearInterval(timer)
  }
  body.end()
  return reply as T
}

/** The status says nothing of it any more: the log line does. */
function problemOf(error: unknown, facts: FastifyRequest['facts']) {
  const problem = toProblem(error)
  facts['problem'] = problem.type
  return problemBody(problem)
}

/** A body whose head is sent, with status 200, when the first of it is written. */
function openBody(reply: FastifyReply, contentType: string) {
  const stream = new PassThrough()
  let hasBegun = false
  return {
    hasBegun: () => hasBegun,
    write(text: string): void {
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
