import type { Candidate } from '../../config.ts'

/** The smallest window that is believed: less is no model, but a server that refuses whatever it is sent. */
const MIN_WINDOW_TOKENS = 1024

/**
 * Remembers which windows the candidates really have, for the process's lifetime: as configured, until a server calls
 * something too long that should have fit.
 */
export interface LearnedWindows {
  /** In tokens. */
  of(candidate: Candidate): number
  /**
   * Learns from a refusal.
   * @param triedTokens what was sent, and the limit of its answer, by our estimate
   * @param reportedTokens the window that the server named
   * @returns false where nothing is left to learn: the window would become too small to be one
   */
  refused(candidate: Candidate, triedTokens: number, reportedTokens?: number): boolean
}

/** A window that the server names is believed where it is news; else what was tried is halved. */
export function createLearnedWindows(): LearnedWindows {
  const learnt = new Map<string, number>()
  const of = ({ model, contextWindow }: Candidate): number => learnt.get(model) ?? contextWindow
  return {
    of,
    refused(candidate, triedTokens, reportedTokens = Infinity) {
      const isTold = reportedTokens >= MIN_WINDOW_TOKENS && reportedTokens < Math.min(of(candidate), triedTokens)
      // Parts are asked side by side: what another one's refusal has taught meanwhile is not to be learnt again.
      if (!isTold && triedTokens > of(candidate)) return true
      const window = isTold ? reportedTokens : Math.floor(triedTokens / 2)
      if (window < MIN_WINDOW_TOKENS) return false
      learnt.set(candidate.model, window)
      return true
    },
  }
}
/** How servers name their window in a refusal; the examples stand in plan/context-overflow-wordings.ts. */
const REPORTED_WINDOWS = [
  /maximum context length (?:is|of) (\d{4,9})/i,
  /maximum (?:prompt length|model length) (?:is|of) (\d{4,9})/i,
  /too large for model with (\d{4,9})/i,
  /tokens? > (\d{4,9}) maximum/i,
  /exceed context limit: \d+ \+ \d+ > (\d{4,9})/i,
  /configured limit of (\d{4,9}) tokens/i,
  /maximum number of tokens allowed \((\d{4,9})\)/i,
  /model only supports up to (\d{4,9})/i,
  /model'?s context length \((\d{4,9}) tokens\)/i,
  /exceed context window of (\d{4,9})/i,
  /token limit: (\d{4,9})/i,
  /input length should be \[1, (\d{4,9})\]/i,
  /"n_ctx": ?(\d{4,9})/i,
  />= n_ctx \((\d{4,9})\)/i,
]

/**
 * Reads the window that a server names when it calls a prompt too long.
 * @returns tokens; undefined where it names none
 */
export function parseReportedWindow(words: string): number | undefined {
  for (const pattern of REPORTED_WINDOWS) {
    const digits = pattern.exec(words)?.[1]
    if (digits !== undefined) return Number(digits)
  }
  return undefined
}
