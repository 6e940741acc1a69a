import { MAX_POSTPONED } from '../../extract/deferred.ts'
import type { PostponedWords } from '../../extract/work-item.ts'
import { oneLine } from '../../text/shorten.ts'
import { DETAIL } from './describe-details.ts'
import { quotable } from './quotes.ts'
import type { Statement } from './ranked-lines.ts'
import { STEP_LABELS } from './step-labels.ts'

/** Returns what the user postpones, in the user's words, with what was said of it since. */
export function writePostponed(postponed: readonly PostponedWords[] = []): Statement[] {
  const lines = postponed.slice(-MAX_POSTPONED).map(({ words, asked, since }) => {
    const question = asked === undefined ? '' : ` (the agent had asked: "${quoted(asked)}")`
    const later = since === undefined ? '' : ` (since then, the ${since.by}: "${quoted(since.words)}")`
    return `${DETAIL}"${quoted(words)}"${question}${later}`
  })
  return lines.length === 0 ? [] : [{ head: [STEP_LABELS.postponed, ...new Set(lines)].join('\n') }]
}

const quoted = (words: string): string => quotable(oneLine(words))

const LINE = /^\s*- "([^"]+)"(?: \(the agent had asked: "([^"]+)"\))?(?: \(since then, the (user|agent): "([^"]+)"\))?$/

/** Reads lines that `writePostponed` has written. */
export const readPostponed = (lines: readonly string[]): PostponedWords[] =>
  lines.flatMap((line) => {
    const [, words, asked, by, later = ''] = LINE.exec(line) ?? []
    if (words === undefined) return []
    return [
      {
        ...{ words, at: -1 },
        ...(asked !== undefined && { asked }),
        ...((by === 'user' || by === 'agent') && { since: { by, words: later } }),
      },
    ]
  })
