/** A date with a time of day, and no time zone. */
const WITHOUT_ZONE = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/

/**
 * Returns a time in milliseconds since the epoch; NaN for a value that is neither a number nor a date. Without a time zone it is in
 * UTC, as all times are that we write: the same session has the same times on every machine.
 */
export function readTime(time: unknown): number {
  if (typeof time === 'number') return time
  if (typeof time !== 'string') return NaN
  return Date.parse(WITHOUT_ZONE.test(time) ? `${time}Z` : time)
}

/** Returns a time in milliseconds since the epoch; undefined for a value that is neither a number nor a date. */
export function readKnownTime(time: unknown): number | undefined {
  const timeMs = readTime(time)
  return Number.isNaN(timeMs) ? undefined : timeMs
}
