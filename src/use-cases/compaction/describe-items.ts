import { namesWork } from '../../extract/named-work.ts'
import { namesAll, plainWords, stemsOf } from '../../extract/same-words.ts'
import { openItem, type SessionWork, type WorkItem } from '../../extract/work-item.ts'
import { ANSWERED_BELOW, isOpenAtEnd } from '../../extract/work-requests.ts'
import type { CompactionPlan, MessageEntry } from '../../plan/plan-compaction.ts'
import { ITEM_KINDS, type SessionItem } from '../../schemas/items.ts'
import { findLatestRequest } from '../../summary/requests.ts'
import { defined } from '../../text/defined.ts'

const MAX_ITEMS_OF_KIND = 200

/**
 * Returns the items of work of the summarized messages, with the entries that show them.
 * @param plan its messages are those that the work was found in
 */
export function describeItems(
  work: SessionWork | undefined,
  plan: Pick<CompactionPlan, 'history' | 'turnPrefix' | 'previousCompaction'>,
): SessionItem[] {
  if (work === undefined) return []
  const entries = [...plan.history, ...plan.turnPrefix]
  const idAt = (at: number | undefined): string | undefined =>
    at === undefined ? undefined : (at < 0 ? plan.previousCompaction : entries[at])?.id
  const named = withNewestRequest(work.items, entries).filter((item) => item.text !== '' && namesWork(item))
  return ITEM_KINDS.flatMap((wanted) =>
    withoutCopies(named.filter(({ kind }) => kind === wanted).slice(-MAX_ITEMS_OF_KIND), named).map((item) =>
      describeItem(item, idAt),
    ),
  )
}

/** Adds the newest request if no item has it: it may be an answer to a question of the agent, in the middle of a turn. */
function withNewestRequest(items: readonly WorkItem[], entries: readonly MessageEntry[]): WorkItem[] {
  const at = entries.findLastIndex(({ message }) => findLatestRequest([message]) !== undefined)
  const message = entries[at]?.message
  const request = message === undefined ? undefined : findLatestRequest([message])
  const requests = items.filter((item) => item.kind === 'request' && item.at <= at)
  if (request === undefined || requests.some((item) => item.at === at)) return [...items]
  const { state, provenAt = -1 } = requests.at(-1) ?? { state: 'open' }
  const isAfter = provenAt > at
  return [...items, { ...openItem('request', request, at), ...(isAfter && { state, provenAt }) }]
}

/** Returns steps without those that say nothing more than another item in the same state, or than a later step. */
function withoutCopies(items: readonly WorkItem[], all: readonly WorkItem[]): WorkItem[] {
  if (items[0]?.kind !== 'step') return [...items]
  const others = all
    .filter(({ kind }) => kind === 'task' || kind === 'step')
    .map((item) => ({ item, stems: stemsOf(plainWords(item.text)) }))
  const place = new Map(others.map(({ item }, index) => [item, index]))
  const isIn = (item: WorkItem): boolean => {
    const at = place.get(item) ?? 0
    const own = others[at]?.stems ?? new Set()
    return others.some(({ item: other, stems }, index) => {
      if (other === item || other.state !== item.state || other.isOlder !== item.isOlder) return false
      // The step of a task has its words, and its id before them.
      if (other.kind === 'task') return namesAll(stems, own)
      return namesAll(own, stems) && (own.size < stems.size || index > at)
    })
  }
  return items.filter((item) => !isIn(item))
}

/** The state that a summary once had for a ticket, in brackets: a list that is newer has another one. */
const OLD_STATE = / \((?:in[ _-]progress|open|pending|to-?do|not started|blocked[^()]{0,80})\)/i

function describeItem(item: WorkItem, idAt: (at: number | undefined) => string | undefined): SessionItem {
  const { kind, text, state, isOlder, at, provenAt, note, source } = item
  const stateEntryId = provenAt === at ? undefined : idAt(provenAt)
  const shown = kind === 'step' && state === 'done' ? text.replace(OLD_STATE, '') : text
  return defined({
    ...{ kind, text: shown, state: isOpenAtEnd(item) ? 'open' : state, isOlder: isOlder || undefined },
    ...{ entryId: idAt(at), stateEntryId, note: note === ANSWERED_BELOW ? KEPT_ANSWER : note, source },
  })
}

const KEPT_ANSWER = 'the messages that stay have the answer'
