/** Resolves once the condition holds. How long that takes is not asserted: a test that never ends fails by tap's limit. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 2))
}

/** Resolves once the signal aborts, or has aborted. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  await until(() => signal.aborted)
}

/** What never comes, and ends with its signal. */
export const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error)
    })
  })
