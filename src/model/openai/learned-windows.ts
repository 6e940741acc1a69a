import type { Candidate } from '../../config.ts'

/** The smallest window that is believed: a server that reports less rejects whatever it receives. */
const MIN_WINDOW_TOKENS = 1024

/**
 * The context windows of the candidates, for the process's lifetime: as configured, until a server rejects a prompt
 * that should have fit.
 */
export interface LearnedWindows {
  /** Returns a candidate's window, in tokens. */
  of(candidate: Candidate): number
  /**
   * Learns a smaller window from a prompt that the server rejected as too long.
   * @param triedTokens the estimated tokens of the prompt plus its output limit
   * @param reportedTokens the window in the server's error text
   * @returns false when the window would become too small to be believed
   */
  learnFromRejection(candidate: Candidate, triedTokens: number, reportedTokens?: number): boolean
}

/**
 * Creates the learned windows. A reported window is believed if it is smaller than what was known and tried; otherwise
 * the window becomes half of what was tried.
 */
export function createLearnedWindows(): LearnedWindows {
  const learned = new Map<string, number>()
  const of = ({ model, contextWindow }: Candidate): number => learned.get(model) ?? contextWindow
  return {
    of,
    learnFromRejection(candidate, triedTokens, reportedTokens = Infinity) {
      const isBelievable = reportedTokens >= MIN_WINDOW_TOKENS && reportedTokens < Math.min(of(candidate), triedTokens)
      // Chunks are sent in parallel: a rejection may come after another one has already taught a smaller window.
      if (!isBelievable && triedTokens > of(candidate)) return true
      const window = isBelievable ? reportedTokens : Math.floor(triedTokens / 2)
      if (window < MIN_WINDOW_TOKENS) return false
      learned.set(candidate.model, window)
      return true
    },
  }
}

/** How servers report their window in a rejection; session/context-overflow.ts has the examples. */
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
 * Reads the context window that a server reports when it rejects a prompt as too long.
 * @returns tokens; undefined when the text names no window
 */
export function parseReportedWindow(errorText: string): number | undefined {
  for (const pattern of REPORTED_WINDOWS) {
    const digits = pattern.exec(errorText)?.[1]
    if (digits !== undefined) return Number(digits)
  }
  return undefined
}
