import type { RequestReport } from '../schemas/ignored.ts'
import { counted } from '../text/numbers.ts'
import type { Terminal } from './terminal.ts'

/** More numbers of lines are not printed. */
const MOST_LINES = 10

/** Says which lines of a session file could not be read, if there are any: they are not in the summary. */
export function sayUnread(report: RequestReport | undefined, terminal: Terminal): void {
  const lines = report?.ignored?.lines ?? []
  if (lines.length === 0) return
  const some = lines.slice(0, MOST_LINES).join(', ')
  terminal.say(`${counted(lines.length, 'line')} could not be read: ${some}${lines.length > MOST_LINES ? ', ...' : ''}`)
}
