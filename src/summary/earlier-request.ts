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
    const request = at < 0 ? '' : readRequestBelow(lines, at)
    if (request !== '') return request
  }
  return undefined
}

/** The labels of the requests that are quoted again, as long as they are the first one or the newest. */
const QUOTED = new Set<string>([GOAL_LABELS.first, GOAL_LABELS.newest, REQUEST_LABEL])

/** Returns the requests of the user that the goal of a summary by this service quotes, as far as they are in it. */
export function readQuotedRequests(summary: Summary): string[] {
  const lines = linesInSection(summary, HEADINGS.goal)
  return lines.flatMap((line, at) => (QUOTED.has(line) ? [readRequestBelow(lines, at)].filter(Boolean) : []))
}

function readRequestBelow(lines: readonly string[], at: number): string {
  const end = lines.findIndex((line, index) => index > at && LABELS.has(line))
  return unquote(lines.slice(at + 1, end < 0 ? undefined : end), lines[at] === REQUEST_LABEL)
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
