/** The minimum of the limit: headings and a quoted request may be longer than a chat of three lines. */
const LEAST_TOKENS = 500

/** So much room a later summary always has: what was done in earlier rounds does not depend on the length of the last one. */
export const LATER_SUMMARY_TOKENS = 2000

export interface ReplacedTokens {
  messages: number
  /** Zero without an earlier summary. */
  previousSummary: number
}

/** Returns how long a summary may be, without what code adds to it: no longer than what it replaces, within the limit of its request. */
export function summaryLimitTokens({ messages, previousSummary }: ReplacedTokens, limitTokens: number): number {
  const least = previousSummary > 0 ? LATER_SUMMARY_TOKENS : LEAST_TOKENS
  return Math.min(limitTokens, Math.max(messages + previousSummary, least))
}
