import { readTime } from '../text/read-time.ts'

/** A date, or a time in the form of RFC 3339 or nearly so. */
const TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)? ?(?:Z|[+-]\d\d:?\d\d)?)?$/i

/** Hours and minutes, as people write them. */
const TIME_OF_DAY = /^(\d{1,2})(:\d\d(?::\d\d)?)$/

/**
 * Returns a time in milliseconds since the epoch; NaN for other texts. A time of day alone is one of the only day of a session, in UTC.
 * @param timesOf returns the times of the session's entries
 * @returns a text, which says what the time must have, if the session has several days
 */
export function readMomentTime(moment: string, timesOf: () => readonly (number | undefined)[]): number | string {
  const [, hours, minutes = ''] = TIME_OF_DAY.exec(moment) ?? []
  if (hours === undefined) return TIME.test(moment) ? readTime(moment) : NaN
  const days = [...new Set(timesOf().flatMap((time) => (time === undefined ? [] : dayOf(time))))].sort()
  const newest = days.at(-1)
  if (newest === undefined) return NaN
  const full = `${newest}T${hours.padStart(2, '0')}${minutes}Z`
  return days.length === 1
    ? readTime(full)
    : `must have its day, such as ${full}: the session has entries of several days`
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
