import { GOAL_LABELS, NO_PRIOR_HISTORY, TURN_CONTEXT_LABEL } from '../text/summary-headings.ts'
import type { Summary } from './summary.ts'

interface MergedTexts {
  history?: Summary | undefined
  turnPrefix?: Summary | undefined
}

/** Returns the texts of a summary as one. Without new history the previous summary stays unchanged. */
export function mergeTexts(
  { history, turnPrefix }: MergedTexts,
  { previousSummary }: { previousSummary?: Summary | undefined },
): string {
  const before = (history ?? previousSummary)?.text ?? NO_PRIOR_HISTORY
  return turnPrefix === undefined ? before : mergeTurnContext(before, turnPrefix.text)
}

/** Joins the two summaries of a split turn (planning rule 8). The newest request is then that of the turn. */
function mergeTurnContext(history: string, turnPrefix: string): string {
  const older = history.replace(`\n${GOAL_LABELS.newest}\n`, `\n${GOAL_LABELS.before}\n`)
  return `${older}\n\n---\n\n${TURN_CONTEXT_LABEL}\n\n${turnPrefix}`
}
