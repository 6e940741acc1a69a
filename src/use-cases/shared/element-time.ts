import { fieldsOf } from '../../session/entry.ts'
import { readTime } from '../../text/read-time.ts'

/** The fields in which formats have the time of an entry. */
const TIME_FIELDS = ['timestamp', 'ts', 'time', 'createdAt', 'created_at', 'startTime'] as const

/** Seconds since the epoch have fewer digits than milliseconds, until the year 5138. */
const MAX_SECONDS = 1e11

/** The last moment that a date can be (ECMA-262, "Time Values and Time Range"). */
const MAX_TIME_MS = 8.64e15

/** Returns when an element was written, in milliseconds since the epoch. */
export function timeOfElement(element: Readonly<Record<string, unknown>>): number | undefined {
  const times = TIME_FIELDS.map((name) => element[name])
  const time = [...times, fieldsOf(element['time'])['created'], fieldsOf(element['message'])['timestamp']].find(
    (one) => typeof one === 'number' || !Number.isNaN(readTime(one)),
  )
  if (typeof time === 'string') return readTime(time)
  const timeMs = typeof time === 'number' ? time * (time < MAX_SECONDS ? 1000 : 1) : NaN
  return Math.abs(timeMs) <= MAX_TIME_MS ? timeMs : undefined
}
