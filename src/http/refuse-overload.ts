import underPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { getHeapStatistics } from 'node:v8'
import { Problem } from '../errors.ts'
import type { Admission, OnRefused, Refusal } from './admission.ts'

/** Past this, health checks and every other request wait noticeably: the mean over a sample, in milliseconds. */
const MAX_EVENT_LOOP_DELAY_MS = 500

const SAMPLE_MS = 1000

/** Past this share of the heap's limit the collector takes most of the time, and the process ends soon after. */
const MAX_HEAP_SHARE = 0.9

/** Why new work is refused. */
export type Overload = Extract<Refusal, 'queue-full' | 'event-loop' | 'memory'>

declare module 'fastify' {
  interface FastifyInstance {
    /** Why new work would be refused at this moment; undefined where it would not. */
    overload: () => Overload | undefined
  }
}

const DETAILS = {
  'queue-full': 'As much work as this service takes is under way or waits already.',
  'event-loop': 'The service is too busy to answer in time.',
  memory: 'The service is short of memory.',
} as const satisfies Record<Overload, string>

interface OverloadOptions {
  admission: Admission
  onRefused: OnRefused
  maxEventLoopDelayMs?: number | undefined
  sampleMs?: number
}

/** Refuses every request but those that ask how the service is, before its body is read, while the event loop is late or memory is short. */
export async function refuseOverload(
  app: FastifyInstance,
  { admission, onRefused, maxEventLoopDelayMs = MAX_EVENT_LOOP_DELAY_MS, sampleMs = SAMPLE_MS }: OverloadOptions,
): Promise<void> {
  const maxHeapUsedBytes = getHeapStatistics().heap_size_limit * MAX_HEAP_SHARE
  await app.register(underPressure, {
    maxEventLoopDelay: maxEventLoopDelayMs,
    sampleInterval: sampleMs,
    maxHeapUsedBytes,
    // The hook below answers, with a problem: a handler that says nothing lets the request go on to it.
    pressureHandler: () => undefined,
  })
  app.decorate('overload', () => {
    if (app.isUnderPressure()) return app.memoryUsage().heapUsed > maxHeapUsedBytes ? 'memory' : 'event-loop'
    return admission.isFull() ? 'queue-full' : undefined
  })
  app.addHook('onRequest', async (request) => {
    const overload = app.overload()
    // A route without a model call takes no place: want of one is no reason to refuse it.
    if (overload === undefined || overload === 'queue-full' || isWatch(request)) return
    onRefused(overload)
    throw new Problem('overloaded', DETAILS[overload])
  })
}

/** Refuses the requests of a plugin's routes, before their body is read, while no more jobs are taken. */
export function refuseWhileFull(app: FastifyInstance, onRefused: OnRefused): void {
  app.addHook('onRequest', async () => {
    if (app.overload() !== 'queue-full') return
    onRefused('queue-full')
    throw new Problem('overloaded', DETAILS['queue-full'])
  })
}

declare module 'fastify' {
  interface FastifyInstance {
    isDraining: () => boolean
  }
}

/** From the start of `close()` on, refuses what comes on connections that are still open; what is under way goes on. */
export function refuseWhileDraining(app: FastifyInstance, onRefused: OnRefused): void {
  let isDraining = false
  app.decorate('isDraining', () => isDraining)
  app.addHook('preClose', async () => {
    isDraining = true
  })
  app.addHook('onSend', async (_request, reply) => {
    // A kept-alive connection would hold the process until the client lets go of it.
    if (isDraining) void reply.header('connection', 'close')
  })
  app.addHook('onRequest', async (request) => {
    if (!isDraining || isWatch(request)) return
    onRefused('draining')
    throw new Problem('draining', 'This replica is shutting down.')
  })
}

const PROBES = new Set(['/healthz', '/readyz'])

/** Tells whether an orchestrator asks how the service is: without a token, as often as it likes, also while it drains. */
export const isProbe = ({ routeOptions }: FastifyRequest): boolean => PROBES.has(routeOptions.url ?? '')

/** Tells whether somebody asks how the service is, who should hear it most of all while it is loaded or drains. */
export const isWatch = (request: FastifyRequest): boolean => isProbe(request) || request.routeOptions.url === '/metrics'
