import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance } from 'fastify'

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
