import type { Candidate } from '../../config.ts'

/** The smallest window that is believed: less is no model, but a server that refuses whatever it is sent. */
const MIN_WINDOW_TOKENS = 1024

/**
 * Remembers which windows the candidates really have, for the process's lifetime: as configured, until a server calls
 * something too long that should have fit.
 */
export interface RealWindows {
  /** In tokens. */
  of(candidate: Candidate): number
  /**
   * Learns from a refusal.
   * @param triedTokens what was sent, and the limit of its answer, by our estimate
   * @param toldTokens the window that the server named
   * @returns false where nothing is left to learn: the window would become too small to be one
   */
  refused(candidate: Candidate, triedTokens: number, toldTokens?: number): boolean
}

/** A window that the server names is believed where it is news; else what was tried is halved. */
export function createRealWindows(): RealWindows {
  const learnt = new Map<string, number>()
  const of = ({ model, contextWindow }: Candidate): number => learnt.get(model) ?? contextWindow
  return {
    of,
    refused(candidate, triedTokens, toldTokens = Infinity) {
      const isTold = toldTokens >= MIN_WINDOW_TOKENS && toldTokens < Math.min(of(candidate), triedTokens)
      // Parts are asked side by side: what another one's refusal has taught meanwhile is not to be learnt again.
      if (!isTold && triedTokens > of(candidate)) return true
      const window = isTold ? toldTokens : Math.floor(triedTokens / 2)
      if (window < MIN_WINDOW_TOKENS) return false
      learnt.set(candidate.model, window)
      return true
    },
  }
}
