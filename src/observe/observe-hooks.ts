import type { Metrics } from './metrics.ts'

interface HookObserved {
  hook: string
  outcome: string
  requestId: string
}

/** Returns a function that counts the operator's hooks, and logs those without a result: names, times and lines of the module. */
export const observeHooks =
  (metrics: Metrics, log: { warn: (facts: object, message: string) => void }) =>
  ({ requestId, ...run }: HookObserved): void => {
    const { hook, outcome } = run
    metrics.hooks.inc({ hook, outcome })
    if (outcome !== 'ok') log.warn({ reqId: requestId, ...run }, 'hook failed')
  }
