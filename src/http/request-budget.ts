import type { FastifyInstance, FastifyReply } from 'fastify'
import { Problem } from '../errors.ts'
import { openController, startTimer as startRealTimer, type StartTimer } from '../runtime/abort.ts'
import type { Admission, OpenJob } from './admission.ts'

/** nginx's number for a client that hung up before it was answered: nobody receives it, but the log tells it from a failure. */
export const CLIENT_CLOSED_REQUEST = 499

/** Why a request's work ended early: the client closed its connection, so nobody waits for a reply. */
export class ClientDisconnected extends Error {
  constructor() {
    super('The client closed the connection.')
    this.name = 'ClientDisconnected'
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on routes that call a model: ends with the client or the deadline, whichever comes first. */
    budget: RequestBudget
  }
}

export interface RequestBudget {
  /** Aborts with `ClientDisconnected`, or with the Problem `deadline-exceeded`. */
  signal: AbortSignal
  /** Milliseconds since the epoch. */
  deadlineAt: number
  startedAt: number
  /** Its place among the jobs, given back when its reply is done. */
  job: OpenJob
  /** Who asks (see `requireToken`). */
  caller: string
  onFinish: (finishReason: string) => void
}

interface BudgetOptions {
  deadlineMs: number
  admission: Admission
  startTimer?: StartTimer | undefined
}

/** Gives each request of the plugin a budget that starts when its head has arrived: known clients count from there too. */
export function addRequestBudget(
  app: FastifyInstance,
  { deadlineMs, admission, startTimer = startRealTimer }: BudgetOptions,
): void {
  app.decorateRequest('budget', null as unknown as RequestBudget)
  app.addHook('onRequest', async (request, reply) => {
    const job = admission.open()
    reply.raw.once('close', job.release)
    const onFinish = (finishReason: string): void => {
      request.facts['finishReason'] = finishReason
    }
    request.budget = { ...openBudget(reply, deadlineMs, startTimer), job, caller: request.caller, onFinish }
  })
}

/** Aborts with `ClientDisconnected` when nobody waits for a reply any more: for work that has no other end. */
export function hangUpSignal(reply: FastifyReply): AbortSignal {
  const controller = openController()
  reply.raw.once('close', () => {
    abortIfGone(reply, controller)
  })
  return controller.signal
}

function abortIfGone(reply: FastifyReply, controller: AbortController): void {
  if (!reply.raw.writableFinished) controller.abort(new ClientDisconnected())
}

/**
 * `request.signal` would abort as soon as a POST's body has been read, so the signal is derived from the reply's
 * socket closing before the reply was finished.
 */
function openBudget(
  reply: FastifyReply,
  deadlineMs: number,
  startTimer: StartTimer,
): Pick<RequestBudget, 'signal' | 'deadlineAt' | 'startedAt'> {
  const controller = openController()
  const stop = startTimer(() => {
    controller.abort(new Problem('deadline-exceeded', `No summary could be had within ${deadlineMs} ms.`))
  }, deadlineMs)
  reply.raw.once('close', () => {
    stop()
    abortIfGone(reply, controller)
  })
  const startedAt = Date.now()
  return { signal: controller.signal, deadlineAt: startedAt + deadlineMs, startedAt }
}
