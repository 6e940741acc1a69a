import { Problem } from '../errors.ts'
import type { Entry, FileLists, Session } from '../session/entry.ts'
import type { Message } from '../session/message.ts'
import { selectBranch } from '../session/tree.ts'
import { collectFiles } from '../files/collect-files.ts'
import { estimateMessageTokens } from '../tokens/estimate-tokens.ts'

/** A summary is worth more than what it displaces, as long as there is some room left: this share of the budget. */
const NEARLY_FULL = 0.9

/** What leaving one branch for another means, as data. */
interface BranchSummaryPlan {
  /** Null where the two branches have nothing in common. */
  commonAncestorId: string | null
  /** All that is left behind, oldest first. */
  entryIds: string[]
  /** What of it fits the budget, oldest first. */
  messages: Message[]
  /** The files of all that is left behind, whether it fits or not. */
  files: FileLists
}

interface Leaving {
  fromId: string
  targetId: string
  /** Tokens of messages that may be summarized. */
  budgetTokens: number
}

const keepsNearEdge = ({ role }: Message, usedTokens: number, budgetTokens: number): boolean =>
  (role === 'branchSummary' || role === 'compactionSummary') && usedTokens < NEARLY_FULL * budgetTokens

/**
 * Plans the summary of a branch that is left (docs/contract.md, `/branch-summary`).
 * @throws Problem `invalid-session` where a leaf is not in the tree, `nothing-to-compact` where nothing that has a
 *   message is left behind
 */
export function planBranchSummary(session: Session, { fromId, targetId, budgetTokens }: Leaving): BranchSummaryPlan {
  const from = selectLeaf(session, 'fromId', fromId)
  const targetIds = new Set(selectLeaf(session, 'targetId', targetId).map(({ id }) => id))
  const ancestorIndex = from.findLastIndex(({ id }) => targetIds.has(id))
  const left = from.slice(ancestorIndex + 1)
  const messages = selectNewest(left, budgetTokens)
  if (messages.length === 0) throw new Problem('nothing-to-compact', 'Nothing with a message is left behind.')
  return {
    commonAncestorId: from[ancestorIndex]?.id ?? null,
    entryIds: left.map(({ id }) => id),
    messages,
    files: collectFiles({
      messages: left.flatMap(({ message }) => message ?? []),
      lists: left.flatMap(({ files }) => files ?? []),
    }),
  }
}

function selectLeaf(session: Session, field: 'fromId' | 'targetId', id: string): Entry[] {
  if (session.byId.has(id)) return selectBranch(session, id)
  const faults = [{ pointer: `/${field}`, detail: 'names no entry of the body' }]
  throw new Problem('invalid-session', 'A leaf is not in the session.', { faults })
}

/** The newest messages that fit, and always the newest of all: the summarizer cuts what is too long for it. */
function selectNewest(entries: readonly Entry[], budgetTokens: number): Message[] {
  const messages: Message[] = []
  let usedTokens = 0
  for (const entry of entries.toReversed()) {
    const message = messageOf(entry)
    if (message === undefined) continue
    usedTokens += estimateMessageTokens(message)
    const fits = usedTokens <= budgetTokens || messages.length === 0
    if (fits || keepsNearEdge(message, usedTokens - estimateMessageTokens(message), budgetTokens))
      messages.push(message)
    if (!fits) break
  }
  return messages.reverse()
}

/** A compaction on the way is a message here: its summary is all that is left of what it covers. */
function messageOf({ message, compaction }: Entry): Message | undefined {
  if (compaction === undefined || compaction.isOpaque) return message
  return { role: 'compactionSummary', summary: compaction.summary }
}
