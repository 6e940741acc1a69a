import type { StartTimer } from '../../src/runtime/abort.ts'

interface Timer {
  ms: number
  callback: () => void
}

/** Timers that only the test lets run out. */
export function fakeTimers() {
  const running: Timer[] = []
  const stop = (timer: Timer): void => {
    if (running.includes(timer)) running.splice(running.indexOf(timer), 1)
  }
  const startTimer: StartTimer = (callback, ms) => {
    const timer = { ms, callback }
    running.push(timer)
    return () => {
      stop(timer)
    }
  }
  /** Lets the newest of the running timers run out, and tells how long it would have run. */
  const runOut = (): number | undefined => {
    const timer = running.pop()
    timer?.callback()
    return timer?.ms
  }
  return { startTimer, runOut, running }
}
