import type { Candidate } from '../../model-settings.ts'
import { findNumber, NOTHING_SENT, type SentText } from './echo.ts'

/** Who learned a fact: a caller, or, where callers are not told apart, one task. */
export type Learner = string | object

interface Fact<T> {
  value: T
  learners: Set<Learner>
  expiresAtMs: number
}

/** A fact is probed again after this time: what taught it may have been a passing fault. */
const LIFETIME_MS = 600_000

/** Learners who must have found out the same before others rely on it. */
const CONFIRMATIONS = 2

/**
 * Facts about the models of a server that were learned from rejections.
 *
 * One caller's fault must not make the requests of others worse: a proxy that fails once, or an error text that quotes a
 * session, can teach nonsense. So a fact is only valid for who learned it, until a second learner has found out the
 * same. Any other learner sends its next request as if nothing were known. A nonsense fact costs it nothing, and a true
 * one a single rejected call, which confirms the fact for everybody.
 */
export class LearnedFacts<T> {
  readonly #facts = new Map<string, Fact<T>>()
  readonly #now: () => number

  /** @param now the time in milliseconds */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Returns a model's fact, if it is valid for a learner; without a learner, if it is valid for all. */
  get(model: string, learner?: Learner): T | undefined {
    const fact = this.#current(model)
    if (fact === undefined) return undefined
    const isValid = fact.learners.size >= CONFIRMATIONS || (learner !== undefined && fact.learners.has(learner))
    return isValid ? fact.value : undefined
  }

  /** Returns a model's fact, whoever has learned it. */
  getUnconfirmed(model: string): T | undefined {
    return this.#current(model)?.value
  }

  /** Confirms an equal fact, and replaces a different one. */
  learn(model: string, value: T, learner: Learner): void {
    const fact = this.#current(model)
    if (fact?.value === value) fact.learners.add(learner)
    else this.#facts.set(model, { value, learners: new Set([learner]), expiresAtMs: this.#now() + LIFETIME_MS })
  }

  forget(model: string): void {
    this.#facts.delete(model)
  }

  #current(model: string): Fact<T> | undefined {
    const fact = this.#facts.get(model)
    if (fact === undefined || fact.expiresAtMs > this.#now()) return fact
    this.#facts.delete(model)
    return undefined
  }
}

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
