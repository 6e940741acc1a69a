import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import { queueFull, type Admission, type OnRefused, type Refusal } from './admission.ts'
import { callerOf } from './request-budget.ts'

/** The mean delay over a second, by the own work of this process, above which health checks and all other requests wait noticeably. */
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
  const load = measureLoad(app, () => shares.rotate())
  const overloadFor = (caller?: string): Exclude<Overload, 'queue-full'> | undefined => {
    const { delayMs, heapShare } = load()
    if (heapShare > MAX_HEAP_SHARE) return 'memory'
    return delayMs > maxEventLoopDelayMs && shares.hasFairShare(caller) ? 'event-loop' : undefined
  }
  app.decorate('overload', () => overloadFor() ?? (admission.isFull() ? 'queue-full' : undefined))
  app.addHook('onRequest', async (request) => {
    const overload = overloadFor(callerOf(request))
    if (overload === undefined || isProbe(request)) return
    onRefused(overload)
    throw new Problem('overloaded', DETAILS[overload])
  })
}

/** Whether a request is for a route that reports the state of the service. */
const isProbe = (request: FastifyRequest): boolean => request.routeOptions.config.isAlwaysServed === true

/** Counts the requests of each caller, also those that another hook has refused: they take time too. Probes take none. */
function countRequests(app: FastifyInstance): RequestShares {
  const shares = new RequestShares()
  const counted = new WeakSet<FastifyRequest>()
  const count = (request: FastifyRequest): void => {
    if (!counted.has(request) && !isProbe(request)) shares.add(callerOf(request))
    counted.add(request)
  }
  app.addHook('onRequest', async (request) => count(request))
  app.addHook('onResponse', async (request) => count(request))
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

/** Fewer requests than this in two periods make no process late: it is the machine that is busy. */
const MIN_REQUESTS = 20

/** Counts the requests of callers in the current period and in the one before, to find those that send the most. */
class RequestShares {
  #current = new Map<string, number>()
  #previous = new Map<string, number>()

  /** Counts a request. */
  add(caller: string): void {
    this.#current.set(caller, (this.#current.get(caller) ?? 0) + 1)
  }

  /** Begins a period. */
  rotate(): void {
    this.#previous = this.#current
    this.#current = new Map()
  }

  /**
   * Returns whether there are many requests, and the caller has sent at least its fair share of them; without a caller: whether
   * one request would be as much. A caller with few requests is served beside one that floods the service.
   */
  hasFairShare(caller?: string): boolean {
    const callers = new Set([...this.#current.keys(), ...this.#previous.keys()])
    const total = sum(this.#current) + sum(this.#previous)
    if (total < MIN_REQUESTS) return false
    if (caller === undefined) return callers.size >= total
    const own = (this.#current.get(caller) ?? 0) + (this.#previous.get(caller) ?? 0)
    return own * callers.size >= total
  }
}

function sum(counts: ReadonlyMap<string, number>): number {
  let total = 0
  for (const count of counts.values()) total += count
  return total
}

/** How busy this process is, by the last sample. */
interface ProcessLoad {
  /** The mean delay of the event loop by the own work of this process, in milliseconds. */
  delayMs: number
  /** The used share of the largest heap that the process may have. */
  heapShare: number
}

const SAMPLE_MS = 1000

const RESOLUTION_MS = 10

/**
 * Samples the load of this process once a second, from when it listens: the start, which takes the event loop for itself, is no
 * load.
 * @param onSample called after each sample
 * @returns the load by the last sample
 */
export function sampleLoad(app: FastifyInstance, onSample: () => void): () => ProcessLoad {
  const load = { delayMs: 0, heapShare: 0 }
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  let timer: NodeJS.Timeout | undefined
  app.addHook('onListen', async () => {
    delays.enable()
    const endPeriod = startPeriods()
    timer = setInterval(() => {
      // The histogram has the intervals of a timer. Without a sample, it has no mean.
      const delayMs = Math.max(0, (delays.mean || 0) / 1e6 - RESOLUTION_MS)
      delays.reset()
      load.delayMs = isByOwnWork(endPeriod()) ? delayMs : 0
      const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
      load.heapShare = used / limit
      onSample()
    }, SAMPLE_MS).unref()
  })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    delays.disable()
  })
  return () => load
}

/** What this process has done in a period. */
interface Period {
  /** The share of the time in which the event loop had something to do, whether the machine ran it or not. */
  utilization: number
  /** The share of the time in which a processor ran this process. */
  cpuShare: number
}

/** The event loop of a process that is late by its own work has nearly always something to do. */
const MIN_UTILIZATION = 0.5

/** A process that has much to do gets at least this share of a processor, also beside many others. */
const MIN_CPU_SHARE = 0.1

/**
 * Returns whether the event loop can be late by what the process does. A process that had little to do, or did not run while it
 * had something to do, is late because the machine is busy or has stopped it: no caller is the cause of that.
 */
export const isByOwnWork = ({ utilization, cpuShare }: Period): boolean =>
  utilization >= MIN_UTILIZATION && cpuShare >= MIN_CPU_SHARE

/** Starts a period. Returns a function that ends it, returns what was done in it, and starts the next one. */
function startPeriods(): () => Period {
  let [startedAt, cpu, loop] = [performance.now(), process.cpuUsage(), performance.eventLoopUtilization()]
  return () => {
    const { user, system } = process.cpuUsage(cpu)
    const { utilization } = performance.eventLoopUtilization(loop)
    const cpuShare = (user + system) / 1000 / (performance.now() - startedAt)
    ;[startedAt, cpu, loop] = [performance.now(), process.cpuUsage(), performance.eventLoopUtilization()]
    return { utilization, cpuShare }
  }
}
