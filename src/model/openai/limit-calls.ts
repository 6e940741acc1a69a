import pLimit from 'p-limit'

/**
 * Limits how many calls are under way at once, over all requests. A call whose signal aborts while it waits leaves the
 * queue and is never made; one that has begun is its own master.
 */
export function limitCalls(concurrency: number) {
  const limit = pLimit(concurrency)
  return async <T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    signal.throwIfAborted()
    let onAbort = (): void => undefined
    const aborted = new Promise<never>((_resolve, reject) => {
      onAbort = () => {
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', onAbort, { once: true })
    })
    const run = limit(async () => {
      signal.throwIfAborted()
      signal.removeEventListener('abort', onAbort)
      return call()
    })
    try {
      return await Promise.race([run, aborted])
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }
}
