import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import { openController, startTimer as startRealTimer, type StartTimer } from '../runtime/abort.ts'
import type { Admission, OpenJob } from './admission.ts'

/** nginx's status for a client that closed its connection: nobody receives it, but the log and the metrics have it. */
export const CLIENT_CLOSED_REQUEST = 499

/** The reason of an aborted request whose client closed the connection. */
export class ClientDisconnected extends Error {
  constructor() {
    super('The client closed the connection.')
    this.name = 'ClientDisconnected'
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Only on the routes of `addRequestBudget`. @throws Error if it is read before the onRequest hooks */
    readonly budget: RequestBudget
  }
}

export interface RequestBudget {
  /** Aborts with `ClientDisconnected`, or with the Problem `deadline-exceeded`. */
  signal: AbortSignal
  /** Milliseconds since the epoch. */
  deadlineAt: number
  startedAt: number
  /** Its place among the running jobs, released when the reply ends. */
  job: OpenJob
  /** The digest of the caller's service token (see `requireToken`). */
  caller: string
  onFinish: (finishReason: string) => void
}

interface BudgetOptions {
  deadlineMs: number
  admission: Admission
  startTimer?: StartTimer | undefined
}

/**
 * Gives each request of the plugin a budget. Its time starts when the head of the request has arrived, as that of known
 * clients does.
 */
export function addRequestBudget(
  app: FastifyInstance,
  { deadlineMs, admission, startTimer = startRealTimer }: BudgetOptions,
): void {
  const budgets = new WeakMap<FastifyRequest, RequestBudget>()
  app.decorateRequest('budget', {
    getter() {
      const budget = budgets.get(this)
      if (budget === undefined) throw new Error('The request has no budget yet: read it after the onRequest hooks.')
      return budget
    },
  })
  app.addHook('onRequest', async (request, reply) => {
    const job = admission.open()
    reply.raw.once('close', job.release)
    const onFinish = (finishReason: string): void => {
      request.facts['finishReason'] = finishReason
    }
    budgets.set(request, { ...openDeadline(reply, deadlineMs, startTimer), job, caller: request.caller, onFinish })
  })
}

function abortIfGone(reply: FastifyReply, controller: AbortController): void {
  if (!reply.raw.writableFinished) controller.abort(new ClientDisconnected())
}

/**
 * Returns the signal of a request and its deadline.
 * `request.signal` aborts as soon as the body of a POST has been read, so the signal is derived from the reply's socket: it
 * aborts if that closes before the reply is complete.
 */
export function openDeadline(
  reply: FastifyReply,
  deadlineMs: number,
  startTimer: StartTimer = startRealTimer,
): Pick<RequestBudget, 'signal' | 'deadlineAt' | 'startedAt'> {
  const controller = openController()
  const stop = startTimer(() => {
    controller.abort(new Problem('deadline-exceeded', `Timed out: no reply after ${deadlineMs} ms.`))
  }, deadlineMs)
  reply.raw.once('close', () => {
    stop()
    abortIfGone(reply, controller)
  })
  const startedAt = Date.now()
  return { signal: controller.signal, deadlineAt: startedAt + deadlineMs, startedAt }
}
