/**
 * Finds the answers that a compaction has kept, in documents that repeat kept messages after the summary. Their usage is that of
 * the context before it, so it says nothing about the present one (planning rules 6 and 10).
 */
export class KeptAnswers {
  #compactedAt: number | undefined

  /** Notes a compaction. @param time when it was written, as a date or in milliseconds; unknown if it is neither */
  compact(time: unknown): void {
    this.#compactedAt = readTime(time)
  }

  /** Notes a compaction that has kept nothing. */
  replaceAll(): void {
    this.#compactedAt = undefined
  }

  /** Returns whether the newest compaction has kept an answer: unless it is known to be newer than that. */
  has(time: unknown): boolean {
    return this.#compactedAt !== undefined && !(readTime(time) > this.#compactedAt)
  }
}

/**
 * Returns the time of a compaction: never before that of a message that it keeps, since the clocks of two machines may differ.
 * @param now milliseconds since the epoch
 * @param times of the kept messages, as dates or in milliseconds
 */
export const timeOfCompaction = (now: number, times: readonly unknown[]): number =>
  times.reduce<number>((newest, time) => (readTime(time) > newest ? readTime(time) : newest), now)

/** Returns a time in milliseconds since the epoch; NaN for any other value. */
function readTime(time: unknown): number {
  if (typeof time === 'number') return time
  return typeof time === 'string' ? Date.parse(time) : NaN
}
