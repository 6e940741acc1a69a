import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance } from 'fastify'

/** How busy this process is, by the last sample. */
interface ProcessLoad {
  /** The mean delay of the event loop, in milliseconds. */
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
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  const load = { delayMs: 0, heapShare: 0 }
  let timer: NodeJS.Timeout | undefined
  app.addHook('onListen', async () => {
    delays.enable()
    timer = setInterval(() => {
      // The histogram has the intervals of a timer. Without a sample, it has no mean.
      load.delayMs = Math.max(0, (delays.mean || 0) / 1e6 - RESOLUTION_MS)
      delays.reset()
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
