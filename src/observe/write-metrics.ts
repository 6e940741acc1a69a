import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Metrics } from './define-metrics.ts'

let processRegistry: Registry | undefined

/** What there is one of, however many services a process has: memory, processor, event loop. */
function processMetrics(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry()
    collectDefaultMetrics({ register: processRegistry })
  }
  return processRegistry
}

/** Writes the text that Prometheus reads. */
export const writeMetrics = (metrics: Metrics): Promise<string> =>
  Registry.merge([metrics.registry, processMetrics()]).metrics()
