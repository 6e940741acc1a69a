import { isGoOn } from './go-on.ts'
import { sharedShare, stemsOf } from './same-words.ts'
import { AGENT_NOTE, NOTES } from './turn-end.ts'
import { isContradiction } from './verdict-words.ts'
import { lastUpTo, quoteInState, quoteUser, type WorkCommit, type WorkItem } from './work-item.ts'
import type { WorkProofs } from './work-proofs.ts'
import type { WorkTurn } from './work-turns.ts'

/** What stands beside a request whose state only words could decide: a reader judges them. */

interface Around extends Partial<Pick<WorkItem, 'state' | 'note'>> {
  proofs: WorkProofs
}

/**
 * Returns what was committed for a request that is not known to be done, and what the user has said next besides to go on, where that
 * may change its state.
 */
export function sinceThen({ request, at }: WorkTurn, { state, note = '', proofs }: Around): string[] {
  const start = lastUpTo(proofs.turns, at) + 1
  const next = proofs.turns.slice(start, start + MAX_TURNS).find((turn) => !isGoOn(turn.request))
  const isOpen = state === 'open'
  const isCut = note === NOTES.interrupted || note === NOTES.failed
  const isChanged = AGENT_NOTE.test(note) || (state === 'replaced' && note !== '')
  if (next === undefined || !(isOpen || isChanged || isContradiction(next.request))) return []
  // Interrupted work may be done in the next turn.
  const answer = isCut && next.answer !== undefined ? [`the agent then: ${quoteInState(next.answer.text)}`] : []
  return [...(isOpen ? committedFor({ request, at }, proofs) : []), quoteUser(next.request), ...answer]
}

/** How many of the next turns may only go on, and of the newest commits are compared. */
const MAX_TURNS = 8
const MAX_COMMITS = 60

/** A commit with this share of its words in a request may be about it. */
const COMMIT_SHARE = 0.6

/** Returns the newest commit that may have the work of a request: one of its own turn, or a later one with most of its words in it. */
function committedFor({ request, at }: Pick<WorkTurn, 'request' | 'at'>, proofs: WorkProofs): string[] {
  const own = proofs.commitsOf(at).at(-1)
  const stems = stemsOf(request)
  const isAbout = (commit: WorkCommit): boolean => {
    const words = stemsOf(commit.subject)
    return commit.at > at && words.size > 1 && sharedShare(words, stems) >= COMMIT_SHARE
  }
  const commit = own ?? proofs.checks.commits().slice(-MAX_COMMITS).findLast(isAbout)
  return commit === undefined
    ? []
    : [`committed${own === undefined ? ' since' : ''}: ${commit.hash} ${quoteInState(commit.subject)}`]
}
