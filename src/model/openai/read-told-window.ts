/** How servers name their window in a refusal; the examples stand in plan/context-overflow-wordings.ts. */
const TOLD_WINDOWS = [
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
export function readToldWindow(words: string): number | undefined {
  for (const pattern of TOLD_WINDOWS) {
    const digits = pattern.exec(words)?.[1]
    if (digits !== undefined) return Number(digits)
  }
  return undefined
}
