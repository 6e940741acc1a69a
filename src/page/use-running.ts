import { useEffect, useRef } from 'preact/hooks'

/** Returns what begins a request, which ends the one before it, and what ends it: at the latest, it ends with its view. */
export function useRunning() {
  const running = useRef<AbortController>(undefined)
  const stop = (): void => running.current?.abort()
  useEffect(() => stop, [])
  return {
    stop,
    start: (): AbortSignal => {
      stop()
      return (running.current = new AbortController()).signal
    },
  }
}
