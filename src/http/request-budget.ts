import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import { openController, startTimer as startRealTimer, type StartTimer } from '../runtime/abort.ts'
import type { CallFacts } from '../model/summarizer.ts'
import type { Admission, OpenSlot } from './admission.ts'
import { CallNotes } from './call-notes.ts'
import { factsOf } from './request-facts.ts'

/** nginx's status for a client that closed its connection: it is only in the log and the metrics. */
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
  /** Aborts with `ClientDisconnected`, with the Problem `deadline-exceeded`, or with that of `end`. */
  signal: AbortSignal
  /** As `signal`, but half a second after the deadline: an answer that has been paid for is still sent. */
  replySignal: AbortSignal
  /** Milliseconds since the epoch. */
  deadlineAt: number
  startedAt: number
  /** Ends the work of the request, which is answered with the problem. */
  end: (problem: Problem) => void
  /** Its place among the running jobs, released when the reply ends. */
  slot: OpenSlot
  /** The digest of the caller's service token (see `requireToken`). */
  tokenDigest: string
  /** Whose work it is: the caller, or its address where there are no tokens. */
  caller: string
  onCall: (call: CallFacts) => void
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
    const calls = new CallNotes(factsOf(request))
    const onCall = (call: CallFacts): void => {
      calls.note(call)
    }
    const { tokenDigest } = request
    const caller = callerOf(request)
    const slot = admission.open(caller)
    reply.raw.once('close', slot.release)
    budgets.set(request, {
      ...openDeadline(reply, { deadlineMs, startTimer, calls }),
      slot,
      tokenDigest,
      caller,
      onCall,
    })
  })
}

/** Returns whose request it is: that of a service token, or of an address where there are no tokens. */
export const callerOf = ({ tokenDigest, ip }: FastifyRequest): string => tokenDigest || ip

/** How long after the deadline the last checks of an answer may take. */
const REPLY_GRACE_MS = 500

/**
 * Returns the signals of a request and its deadline.
 * `request.signal` aborts as soon as the body of a POST has been read, so the signals are derived from the reply's socket:
 * they abort if that closes before the reply is complete.
 */
function openDeadline(
  reply: FastifyReply,
  { deadlineMs, startTimer, calls }: { deadlineMs: number; startTimer: StartTimer; calls: CallNotes },
): Pick<RequestBudget, 'signal' | 'replySignal' | 'deadlineAt' | 'startedAt' | 'end'> {
  const [work, last] = [openController(), openController()]
  let stop = startTimer(() => {
    const late = `Timed out: no reply after ${deadlineMs} ms.${calls.describeUnanswered()}`
    const problem = new Problem('deadline-exceeded', late)
    work.abort(problem)
    stop = startTimer(() => {
      last.abort(problem)
    }, REPLY_GRACE_MS)
  }, deadlineMs)
  const end = (reason: Error): void => {
    work.abort(reason)
    last.abort(reason)
  }
  reply.raw.once('close', () => {
    stop()
    if (!reply.raw.writableFinished) end(new ClientDisconnected())
  })
  const startedAt = Date.now()
  return { signal: work.signal, replySignal: last.signal, deadlineAt: startedAt + deadlineMs, startedAt, end }
}
