import type { Candidate } from '../../model-settings.ts'
import { findNumber, NOTHING_SENT, type SentText } from './echo.ts'
import { LearnedFacts, type Learner } from './learned-facts.ts'

/** The smallest window that is believed: a server that reports less rejects whatever it receives. */
const MIN_WINDOW_TOKENS = 1024

interface Rejection {
  learner: Learner
  /** The estimated tokens of the prompt plus its output limit. */
  triedTokens: number
  /** The window in the server's error text. */
  reportedTokens?: number | undefined
}

/**
 * The context windows of the candidates: as configured, until a server rejects a prompt that should have fit. What is
 * learned expires, and other learners try the configured window first (see `LearnedFacts`).
 */
export class LearnedWindows {
  readonly #facts: LearnedFacts<number>

  /** @param now the time in milliseconds */
  constructor(now: () => number) {
    this.#facts = new LearnedFacts(now)
  }

  /** Returns a candidate's window for a learner, in tokens; without a learner, the one that is valid for all. */
  of({ model, contextWindow }: Candidate, learner?: Learner): number {
    return this.#facts.get(model, learner) ?? contextWindow
  }

  /**
   * Learns a smaller window from a prompt that the server rejected as too long: the reported one, if it is smaller than what
   * was known and tried; otherwise what another learner has found, or else half of what was tried.
   * @returns false when the window would become too small to be believed
   */
  learnFromRejection(candidate: Candidate, { learner, triedTokens, reportedTokens = Infinity }: Rejection): boolean {
    const { model } = candidate
    const known = this.of(candidate, learner)
    const isBelievable = reportedTokens >= MIN_WINDOW_TOKENS && reportedTokens < Math.min(known, triedTokens)
    // Chunks are sent in parallel: a rejection may come after another one has already taught a smaller window.
    if (!isBelievable && triedTokens > known) return true
    const found = this.#facts.getUnconfirmed(model) ?? Infinity
    const guess = found < triedTokens ? found : Math.floor(triedTokens / 2)
    const window = isBelievable ? reportedTokens : guess
    if (window < MIN_WINDOW_TOKENS) return false
    this.#facts.learn(model, window, learner)
    return true
  }

  /** Forgets a window when a larger prompt was answered. */
  learnFromAnswer({ model }: Candidate, countPromptTokens: () => number): void {
    const found = this.#facts.getUnconfirmed(model)
    if (found !== undefined && countPromptTokens() > found) this.#facts.forget(model)
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
export const parseReportedWindow = (errorText: string, sent: SentText = NOTHING_SENT): number | undefined =>
  findNumber(REPORTED_WINDOWS, errorText, sent)
