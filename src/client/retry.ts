import { PrecisError } from './precis-error.ts'

/** Statuses after which the same request may succeed later (docs/errors.md). */
const RETRIED: readonly number[] = [408, 429, 502, 503, 504]

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 60_000

export interface RetryOptions {
  /** How often a request is repeated; default: 2. */
  retries?: number
  /** Waits before the next attempt; default: a timer. */
  wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/**
 * Makes attempts until one succeeds, as docs/errors.md recommends: after `Retry-After`, or else after 1 s, 2 s, 4 s, ...
 * @throws the error of the last attempt; at once, an error that a retry does not help, or the signal's reason
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { retries = 2, wait = waitFor }: RetryOptions,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let done = 0; ; done += 1) {
    try {
      return await attempt()
    } catch (error) {
      signal?.throwIfAborted()
      const ms = waitAfter(error, done)
      if (ms === undefined || done >= retries) throw error instanceof BrokenConnection ? error.cause : error
      await wait(ms, signal)
    }
  }
}

/**
 * Returns what a call of the fetch API resolves to, and marks the failures of the connection, so that `withRetries` repeats only
 * these. The fetch API throws a TypeError for a connection that failed or broke. A TypeError from other code, such as a function
 * of the caller, is a mistake: repeating the request would not help.
 * @throws BrokenConnection instead of a TypeError; `withRetries` throws its cause in the end
 */
export async function fromConnection<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof TypeError ? new BrokenConnection('The connection broke.', { cause: error }) : error
  }
}

/**
 * Yields what the connection brings. An error in the loop over it is not one of the connection: it does not pass through here.
 * @throws BrokenConnection
 */
export async function* eachFromConnection<T>(values: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* values
  } catch (error) {
    await fromConnection(Promise.reject(error as Error))
  }
}

class BrokenConnection extends Error {}

/** Returns how long to wait before the next attempt, in milliseconds; undefined for an error that a retry does not help. */
function waitAfter(error: unknown, done: number): number | undefined {
  if (error instanceof BrokenConnection) return FIRST_WAIT_MS * 2 ** done
  if (!(error instanceof PrecisError) || !RETRIED.includes(error.status)) return undefined
  return Math.min(error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** done, LONGEST_WAIT_MS)
}

function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
