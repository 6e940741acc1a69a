/** What was spent on a task, failed calls included. */
export interface Tally {
  calls: number
  usage: { inputTokens: number; outputTokens: number }
  /** Secrets that were replaced in what models wrote. */
  redactions: number
}

export const emptyTally = (): Tally => ({ calls: 0, usage: { inputTokens: 0, outputTokens: 0 }, redactions: 0 })

/** Adds what was spent to a tally. */
export function addTally(tally: Tally | undefined, { calls, usage, redactions }: Tally): void {
  if (tally === undefined) return
  tally.calls += calls
  tally.usage.inputTokens += usage.inputTokens
  tally.usage.outputTokens += usage.outputTokens
  tally.redactions += redactions
}
