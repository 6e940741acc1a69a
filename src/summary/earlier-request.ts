import { GOAL_LABELS, HEADINGS } from '../text/summary-headings.ts'
import { linesInSection, type Summary } from './summary.ts'

/** The label of a request that code has added to a summary. */
export const REQUEST_LABEL = 'The newest request, word for word:'

/** The line that ends the request below a label: another label. */
const LABELS = new Set<string>([...Object.values(GOAL_LABELS), REQUEST_LABEL])

/**
 * Returns the newest request of a summary by this service, word for word: it is the current one until the user asks for
 * something else. @returns undefined for other summaries
 */
export function readEarlierRequest(summary: Summary): string | undefined {
  for (const heading of [HEADINGS.goal, HEADINGS.context]) {
    const lines = linesInSection(summary, heading)
    const at = lines.findLastIndex((line) => line === GOAL_LABELS.newest || line === REQUEST_LABEL)
    if (at < 0) continue
    const end = lines.findIndex((line, index) => index > at && LABELS.has(line))
    const request = unquote(lines.slice(at + 1, end < 0 ? undefined : end), lines[at] === REQUEST_LABEL)
    if (request !== '') return request
  }
  return undefined
}

/** Returns a request without the marks of a block quote. Below the label of code, the quote ends with its marks. */
function unquote(below: readonly string[], isQuoted: boolean): string {
  const first = below.findIndex((line) => line.trim() !== '')
  const lines = below.slice(Math.max(0, first))
  if (lines[0]?.startsWith('>') !== true) return isQuoted ? '' : lines.join('\n').trim()
  const end = lines.findIndex((line) => !line.startsWith('>'))
  return lines
    .slice(0, end < 0 ? undefined : end)
    .map((line) => line.replace(/^> ?/, ''))
    .join('\n')
    .trim()
}
