import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import type { CallFacts } from '../model/summarizer.ts'
import { openController, startTimer as startRealTimer, type StartTimer } from '../runtime/abort.ts'
import { counted } from '../text/numbers.ts'
import type { Admission, OpenSlot } from './admission.ts'
import { factsOf, type RequestFacts } from './request-facts.ts'

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
    const onCall = (call: CallFacts): void => calls.note(call)
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
    stop = startTimer(() => last.abort(problem), REPLY_GRACE_MS)
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

/** The calls of models for one request: for its log line, and for the error at its deadline. */
export class CallNotes {
  readonly #facts: RequestFacts
  #begun = 0
  /** The models of the calls that have not ended: those of a request that ends now are aborted. */
  readonly #running: string[] = []
  /** The models of the calls that were not answered in time. */
  readonly #stalled: string[] = []
  /** The models that failed, and how, since a call succeeded. */
  readonly #models = new Set<string>()
  readonly #outcomes = new Set<string>()

  /** @param facts those of the log line */
  constructor(facts: RequestFacts) {
    this.#facts = facts
  }

  note({ model, outcome, status, finishReason, learnedWindowTokens, isJoined = false }: CallFacts): void {
    const facts = this.#facts
    if (learnedWindowTokens !== undefined) {
      // This call has ended before.
      facts['learnedWindow'] = learnedWindowTokens
      return
    }
    if (outcome === 'begun') {
      this.#begun += 1
      this.#running.push(model)
      if (!isJoined) facts['calls'] = Number(facts['calls'] ?? 0) + 1
    } else this.#noteEnd(model, outcome, status)
    if (finishReason !== undefined) facts['finishReason'] = finishReason
    this.#writeOutcome()
  }

  #noteEnd(model: string, outcome: string, status: number | undefined): void {
    const at = this.#running.indexOf(model)
    // One that had begun before this request joined it is not among them.
    if (at >= 0) this.#running.splice(at, 1)
    delete this.#facts['upstreamStatus']
    if (status !== undefined) this.#facts['upstreamStatus'] = status
    if (outcome === 'stalled') this.#stalled.push(model)
    if (outcome === 'ok') {
      this.#models.clear()
      this.#outcomes.clear()
    } else {
      this.#models.add(model)
      this.#outcomes.add(outcome)
    }
  }

  #writeOutcome(): void {
    const outcomes = [...this.#outcomes, ...(this.#running.length > 0 ? ['aborted'] : [])]
    delete this.#facts['outcome']
    if (outcomes.length === 0) return
    const model = [...new Set([...this.#models, ...this.#running])].join(',')
    Object.assign(this.#facts, { model, outcome: outcomes.join(',') })
  }

  /** Returns which models have not answered in time, as the end of an error; '' if there are none. */
  describeUnanswered(): string {
    const models = [...this.#stalled, ...this.#running]
    if (models.length === 0) return ''
    const names = [...new Set(models)].join(', ')
    return ` ${names}: the model server did not answer in time (${models.length} of ${counted(this.#begun, 'call')}).`
  }
}
