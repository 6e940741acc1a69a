import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { getHeapStatistics } from 'node:v8'
import { Problem } from '../errors.ts'
import { queueFull, type Admission, type OnRefused, type Refusal } from './admission.ts'

/** The mean delay over a sample above which health checks and all other requests wait noticeably. */
const MAX_EVENT_LOOP_DELAY_MS = 500

const SAMPLE_MS = 1000

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
  'event-loop': 'This service is too busy to reply in time. Try again later.',
  memory: 'This service is short of memory. Try again later.',
} as const

interface OverloadOptions {
  admission: Admission
  onRefused: OnRefused
  maxEventLoopDelayMs?: number | undefined
  sampleMs?: number
}

/**
 * Refuses requests before their body is read while the event loop is late or memory is short, except on routes that report
 * the state of the service.
 */
export async function refuseOverload(
  app: FastifyInstance,
  { admission, onRefused, maxEventLoopDelayMs = MAX_EVENT_LOOP_DELAY_MS, sampleMs = SAMPLE_MS }: OverloadOptions,
): Promise<void> {
  const maxHeapUsedBytes = getHeapStatistics().heap_size_limit * MAX_HEAP_SHARE
  await app.register(underPressure, {
    maxEventLoopDelay: maxEventLoopDelayMs,
    sampleInterval: sampleMs,
    maxHeapUsedBytes,
    // The hook below replies, with a problem: this handler only lets the request go on to it.
    pressureHandler: () => undefined,
  })
  app.decorate('overload', () => {
    if (app.isUnderPressure()) return app.memoryUsage().heapUsed > maxHeapUsedBytes ? 'memory' : 'event-loop'
    return admission.isFull() ? 'queue-full' : undefined
  })
  app.addHook('onRequest', async ({ routeOptions }) => {
    const overload = app.overload()
    // A full queue concerns only the routes of refuseWhileFull: the others take no place in it.
    if (overload === undefined || overload === 'queue-full' || routeOptions.config.isAlwaysServed) return
    onRefused(overload)
    throw new Problem('overloaded', DETAILS[overload])
  })
}

/**
 * Refuses the requests of a plugin's routes, before their body is read, while the queue has no place for their owner. The
 * plugin needs `addRequestBudget` before it.
 */
export function refuseWhileFull(
  app: FastifyInstance,
  { admission, onRefused }: Pick<OverloadOptions, 'admission' | 'onRefused'>,
): void {
  app.addHook('onRequest', async ({ budget }) => {
    if (!admission.isFull(budget.owner)) return
    onRefused('queue-full')
    throw queueFull()
  })
}
