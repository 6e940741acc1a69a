import { readTime } from '../text/read-time.ts'
import type { KeptUsage, Usage } from './message.ts'

/**
 * Finds the answers that a compaction has kept, in documents that repeat kept messages after the summary. Their usage is that of
 * the context before it, so it says nothing about the present one (planning rules 6 and 10).
 */
export class KeptAnswers {
  /** When the compactions were written since one that has kept nothing. */
  #times: number[] = []

  /** Notes a compaction. @param time when it was written, as a date or in milliseconds; unknown if it is neither */
  compact(time: unknown): void {
    this.#times.push(readTime(time))
  }

  /** Notes a compaction that has kept nothing. */
  replaceAll(): void {
    this.#times = []
  }

  /** Returns the usage of an answer as that of the present context, or of an earlier one if a compaction has kept the answer. */
  describe(usage: Usage | undefined, time: unknown): { usage?: Usage; keptUsage?: KeptUsage } {
    if (usage === undefined) return {}
    const compactions = this.#countSince(readTime(time))
    return compactions === 0 ? { usage } : { keptUsage: { usage, compactions } }
  }

  /** Returns how many compactions have kept an answer: all unless it is known to be newer. */
  #countSince(time: number): number {
    const newest = this.#times.findLastIndex((compactedAt) => time > compactedAt)
    return this.#times.length - 1 - newest
  }
}
