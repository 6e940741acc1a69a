import { useEffect, useRef, useState } from 'preact/hooks'

/** Returns the progress of a request, what begins it and ends the one before, and what ends it: at the latest, it ends with its view. */
export function useRunning<Progress = true>(onProblem: (problem: unknown) => void) {
  const running = useRef<AbortController>(undefined)
  const [progress, setProgress] = useState<Progress>()
  const stop = (): void => {
    running.current?.abort()
    setProgress(undefined)
  }
  useEffect(() => stop, [])
  const start = (): AbortSignal => {
    stop()
    return (running.current = new AbortController()).signal
  }
  return {
    ...{ progress, setProgress, start, stop },
    /** Returns what the work returns; undefined if it was ended, or has failed. */
    run: async <T>(first: Progress, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> => {
      const signal = start()
      setProgress(() => first)
      try {
        return await work(signal)
      } catch (error) {
        if (!signal.aborted) onProblem(error)
        return undefined
      } finally {
        if (!signal.aborted) setProgress(undefined)
      }
    },
  }
}
