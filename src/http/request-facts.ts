import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest, FastifyInstance } from 'fastify'
import type { CallFacts } from '../model/summarizer.ts'

export type RequestFacts = Record<string, string | number | boolean>

const factsOfAll = new WeakMap<FastifyRequest, RequestFacts>()

/** Returns the facts of a request, even if it failed before any hook has run. */
export function factsOf(request: FastifyRequest): RequestFacts {
  const facts = factsOfAll.get(request) ?? {}
  factsOfAll.set(request, facts)
  return facts
}

/**
 * Notes a call of a model. How it ended stays until another one succeeds; a call that has not ended when the line is written was
 * aborted.
 */
export function noteCall(facts: RequestFacts, call: CallFacts): void {
  const { model, outcome, status, finishReason, learnedWindowTokens } = call
  if (learnedWindowTokens !== undefined) facts['learnedWindow'] = learnedWindowTokens
  if (finishReason !== undefined) facts['finishReason'] = finishReason
  if (outcome === 'begun') facts['calls'] = Number(facts['calls'] ?? 0) + 1
  delete facts['outcome']
  delete facts['upstreamStatus']
  if (outcome === 'ok') return
  const ended = outcome === 'begun' ? 'aborted' : outcome
  Object.assign(facts, { model, outcome: ended, ...(status === undefined ? {} : { upstreamStatus: status }) })
}

/** Longer texts and other characters are content rather than an id. */
const REQUEST_ID = /^[\w.:-]{1,64}$/

/** Returns the id of a request: the caller's `X-Request-Id` if it is valid, else a new one. */
export function chooseRequestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const id = headers['x-request-id']
  return typeof id === 'string' && REQUEST_ID.test(id) ? id : randomUUID()
}

/** Adds the id to every reply, so that a client can name it to the operator. */
export function assignRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
  })
}
