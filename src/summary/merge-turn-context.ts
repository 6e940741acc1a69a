/** What stands for the history of a split turn that has none (planning rule 8). */
export const NO_PRIOR_HISTORY = 'No prior history.'

/** Joins the two summaries of a split turn (planning rule 8). */
export function mergeTurnContext(history: string, turnPrefix: string): string {
  return `${history}\n\n---\n\n**Turn Context (split turn):**\n\n${turnPrefix}`
}
