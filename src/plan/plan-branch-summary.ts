import { Problem } from '../errors.ts'
import { collectFiles } from '../extract/collect-files.ts'
import { pairMessages, type ToolRuns } from '../extract/runs.ts'
import type { Entry, FileLists, Session } from '../session/entry.ts'
import { selectBranch } from '../session/link-session.ts'
import type { Message } from '../session/message.ts'
import { estimateMessageTokens } from '../tokens/estimate-tokens.ts'

/** The summary of a branch that is left for another one, as data. */
interface BranchSummaryPlan {
  /** Null where the two branches have no common entry. */
  commonAncestorId: string | null
  entryIds: string[]
  /** The messages of these entries that fit the budget, oldest first. */
  messages: Message[]
  runs: ToolRuns
  /** The files of all entries that are left, even of those that do not fit. */
  files: FileLists
}

interface Leaving {
  fromId: string
  targetId: string
  /** The limit for the tokens of the messages that are summarized. */
  budgetTokens: number
}

/**
 * Plans the summary of a branch that is left (openapi.yaml, `/branch-summary`).
 * @throws Problem `invalid-session` where a leaf is not in the tree, `nothing-to-compact` where no entry that is left
 *   has a message
 */
export function planBranchSummary(session: Session, { fromId, targetId, budgetTokens }: Leaving): BranchSummaryPlan {
  const from = selectLeaf(session, 'fromId', fromId)
  const targetIds = new Set(selectLeaf(session, 'targetId', targetId).map(({ id }) => id))
  const ancestorIndex = from.findLastIndex(({ id }) => targetIds.has(id))
  const left = from.slice(ancestorIndex + 1)
  const messages = selectNewest(left, budgetTokens)
  if (messages.length === 0) throw new Problem('nothing-to-compact', explainNothingLeft(left))
  const paired = pairMessages(left.flatMap(({ message }) => message ?? []))
  return {
    commonAncestorId: from[ancestorIndex]?.id ?? null,
    entryIds: left.map(({ id }) => id),
    messages,
    runs: paired.runs,
    files: collectFiles(
      paired,
      left.flatMap(({ files }) => files ?? []),
    ),
  }
}

const explainNothingLeft = ({ length }: readonly Entry[]): string =>
  length === 0
    ? 'The agent leaves nothing behind: the entry `fromId` is on the branch of `targetId`. Check the two ids.'
    : `The agent leaves ${length} ${length === 1 ? 'entry' : 'entries'} behind, none with a message, so there is nothing to summarize.`

function selectLeaf(session: Session, field: 'fromId' | 'targetId', id: string): Entry[] {
  if (session.byId.has(id)) return selectBranch(session, id)
  const faults = [{ pointer: `/${field}`, detail: 'must be the id of an entry in the body' }]
  throw new Problem(
    'invalid-session',
    `\`${field}\` is the id of no entry in the body. Send the entries of both branches.`,
    { faults },
  )
}

/** Returns the newest messages that fit, and always the newest one: the summarizer shortens what is too long for it. */
function selectNewest(entries: readonly Entry[], budgetTokens: number): Message[] {
  const messages: Message[] = []
  let usedTokens = 0
  for (const entry of entries.toReversed()) {
    const message = messageOf(entry)
    if (message === undefined) continue
    usedTokens += estimateMessageTokens(message)
    const fits = usedTokens <= budgetTokens || messages.length === 0
    if (fits || mayExceedBudget(message, usedTokens - estimateMessageTokens(message), budgetTokens))
      messages.push(message)
    if (!fits) break
  }
  return messages.reverse()
}

/** The share of the budget up to which a summary is added even if it exceeds the budget: it replaces many messages. */
const SUMMARY_BUDGET_SHARE = 0.9

const mayExceedBudget = ({ role }: Message, usedTokens: number, budgetTokens: number): boolean =>
  (role === 'branchSummary' || role === 'compactionSummary') && usedTokens < SUMMARY_BUDGET_SHARE * budgetTokens

/** The message of an entry. A compaction counts as one: its summary is all that remains of the messages it covers. */
function messageOf({ message, compaction }: Entry): Message | undefined {
  if (compaction === undefined || compaction.isOpaque) return message
  return { role: 'compactionSummary', summary: compaction.summary }
}
