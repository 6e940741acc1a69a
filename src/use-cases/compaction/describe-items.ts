import type { SessionWork, WorkItem } from '../../extract/work-item.ts'
import type { CompactionPlan } from '../../plan/plan-compaction.ts'
import { ITEM_KINDS, type SessionItem } from '../../schemas/items.ts'
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
  const entries = [...plan.history, ...plan.turnPrefix]
  const idAt = (at: number | undefined): string | undefined =>
    at === undefined ? undefined : (at < 0 ? plan.previousCompaction : entries[at])?.id
  const named = work?.items.filter(({ text }) => text !== '') ?? []
  return ITEM_KINDS.flatMap((wanted) =>
    named
      .filter(({ kind }) => kind === wanted)
      .slice(-MAX_ITEMS_OF_KIND)
      .map((item) => describeItem(item, idAt)),
  )
}

function describeItem(
  { kind, text, state, isOlder, at, provenAt, note, source }: WorkItem,
  idAt: (at: number | undefined) => string | undefined,
): SessionItem {
  const stateEntryId = provenAt === at ? undefined : idAt(provenAt)
  return defined({ kind, text, state, isOlder: isOlder || undefined, entryId: idAt(at), stateEntryId, note, source })
}
