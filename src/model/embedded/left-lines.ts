import { isUnverified } from '../../extract/left-words.ts'
import { NEWEST_REQUESTS } from '../../extract/left-work.ts'
import { AGENT_NOTE } from '../../extract/turn-end.ts'
import { isUnnamed } from '../../extract/unnamed-wishes.ts'
import type { WorkItem } from '../../extract/work-item.ts'
import { DETAIL } from './describe-details.ts'
import { quotable } from './quotes.ts'
import type { Statement } from './ranked-lines.ts'
import { nameOfRequest } from './request-name.ts'
import { STEP_LABELS } from './step-labels.ts'

const MAX_LEFT = 6

/**
 * Returns what the agent has said to be missing of earlier requests, in its words, where these are no steps themselves: the user has gone on,
 * and may have settled it, which is the reader's to judge.
 * @param before the next steps of an earlier summary
 */
export function writeLeft(
  items: readonly WorkItem[],
  newest: WorkItem | undefined,
  before: readonly string[],
): Statement[] {
  const earlier = before.filter((statement) => statement.startsWith(STEP_LABELS.left))
  const lines = new Set([...earlier.flatMap((statement) => statement.split('\n').slice(1)), ...leftOf(items, newest)])
  return lines.size === 0 ? [] : [{ head: [STEP_LABELS.left, ...[...lines].slice(-MAX_LEFT)].join('\n') }]
}

function leftOf(items: readonly WorkItem[], newest: WorkItem | undefined): string[] {
  const requests = items.filter(({ kind }) => kind === 'request')
  const oldAt = requests.at(-NEWEST_REQUESTS)?.at ?? -1
  const inParts = new Set(
    items.filter((item) => item.kind === 'wish' && item.state === 'open' && !isUnnamed(item)).map(({ at }) => at),
  )
  return requests
    .filter(({ state, at }) => state === 'answered' || (state === 'open' && at < oldAt))
    .filter((item) => item !== newest && !inParts.has(item.at))
    .flatMap(({ text, note = '', since = [] }) => {
      const [, said] = AGENT_NOTE.exec(note) ?? []
      if (said === undefined || isUnverified(said)) return []
      const of = [`of: ${nameOfRequest(text).replace(/[()]/g, '')}`, ...since].join('; ')
      return [`${DETAIL}"${quotable(said)}" (${of})`]
    })
}
