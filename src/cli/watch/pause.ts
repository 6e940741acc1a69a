const SHORTEST_MS = 30_000
const LONGEST_MS = 1_800_000

/** The failures of something since it last went well, and when it is tried again. */
export interface Pause {
  failures: number
  untilMs: number
}

/** Returns the pause after a failure: twice as long each time, from half a minute to half an hour. */
export function pauseAfter(before: Pause | undefined, nowMs: number): Pause {
  const failures = (before?.failures ?? 0) + 1
  return { failures, untilMs: nowMs + lengthOf(failures) }
}

/** Returns how long a pause is, in words. */
export function describePause({ failures }: Pause): string {
  const seconds = lengthOf(failures) / 1000
  return seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

const lengthOf = (failures: number): number => Math.min(LONGEST_MS, SHORTEST_MS * 2 ** (failures - 1))
