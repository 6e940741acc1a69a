import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import { queueFull, type Admission, type OnRefused, type Refusal } from './admission.ts'
import { sampleLoad } from './event-loop.ts'
import { callerOf } from './request-budget.ts'
import { RequestShares } from './request-shares.ts'

/** The mean delay over a second above which health checks and all other requests wait noticeably. */
const MAX_EVENT_LOOP_DELAY_MS = 500

/** The share of the heap limit above which garbage collection takes most of the time and the process ends soon. */
const MAX_HEAP_SHARE = 0.9

/** Why new work is refused. */
type Overload = Extract<Refusal, 'queue-full' | 'event-loop' | 'memory'>

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns why new work of any caller would be refused now; undefined if that of a caller without jobs would not. */
    overload: () => Overload | undefined
  }
}

const DETAILS = {
  'event-loop':
    'This service is too busy to reply in time, and this caller sends many of its requests. Send fewer, or try again later.',
  memory: 'This service is short of memory. Try again later.',
} as const

interface OverloadOptions {
  admission: Admission
  onRefused: OnRefused
  maxEventLoopDelayMs?: number | undefined
  /** Starts to measure the load of this process; default: the real one. */
  measureLoad?: typeof sampleLoad
}

/**
 * Refuses requests before their body is read while the event loop is late or memory is short, except on routes that report
 * the state of the service. A late event loop refuses only the callers with the most requests: the others are not its cause.
 */
export function refuseOverload(
  app: FastifyInstance,
  { admission, onRefused, maxEventLoopDelayMs = MAX_EVENT_LOOP_DELAY_MS, measureLoad = sampleLoad }: OverloadOptions,
): void {
  const shares = countRequests(app)
  const load = measureLoad(app, () => {
    shares.rotate()
  })
  const overloadFor = (caller?: string): Exclude<Overload, 'queue-full'> | undefined => {
    const { delayMs, heapShare } = load()
    if (heapShare > MAX_HEAP_SHARE) return 'memory'
    return delayMs > maxEventLoopDelayMs && shares.hasFairShare(caller) ? 'event-loop' : undefined
  }
  app.decorate('overload', () => overloadFor() ?? (admission.isFull() ? 'queue-full' : undefined))
  app.addHook('onRequest', async (request) => {
    const overload = overloadFor(callerOf(request))
    if (overload === undefined || request.routeOptions.config.isAlwaysServed) return
    onRefused(overload)
    throw new Problem('overloaded', DETAILS[overload])
  })
}

/** Counts the requests of each caller, also those that another hook has refused: they take time too. */
function countRequests(app: FastifyInstance): RequestShares {
  const shares = new RequestShares()
  const counted = new WeakSet<FastifyRequest>()
  const count = (request: FastifyRequest): void => {
    if (!counted.has(request)) shares.add(callerOf(request))
    counted.add(request)
  }
  app.addHook('onRequest', async (request) => {
    count(request)
  })
  app.addHook('onResponse', async (request) => {
    count(request)
  })
  return shares
}

/**
 * Refuses the requests of a plugin's routes, before their body is read, while the queue has no place for their caller. The
 * plugin needs `addRequestBudget` before it.
 */
export function refuseWhileFull(
  app: FastifyInstance,
  { admission, onRefused }: Pick<OverloadOptions, 'admission' | 'onRefused'>,
): void {
  app.addHook('onRequest', async ({ budget }) => {
    if (!admission.isFull(budget.caller)) return
    onRefused('queue-full')
    throw queueFull()
  })
}
