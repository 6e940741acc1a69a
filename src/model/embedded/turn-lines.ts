import type { WorkCommit, WorkItem } from '../../extract/work-item.ts'
import { AGENT_NOTE } from '../../extract/turn-end.ts'
import { ANSWERED_BELOW, isOpenAtEnd } from '../../extract/work-requests.ts'
import { namingWords } from '../../extract/cut-request.ts'
import { isNoWork } from '../../extract/user-text.ts'
import { oneLine, shorten } from '../../text/shorten.ts'
import { DETAIL, describePassages, shortenPath } from './describe-details.ts'
import { CHANGED_FILES, isOpenTurn, OUTCOME_MARK, stepOf, wholeOf, withoutState } from './earlier-work.ts'
import type { ParsedSummary } from '../../text/summary-parts.ts'
import type { SessionFacts, TurnFact } from './facts.ts'
import type { Statement } from './ranked-lines.ts'
import { nameOfRequest } from './request-name.ts'

/** How long a request may be on the line of its turn. */
export const MAX_REQUEST_CHARACTERS = 140

/** How many of the newest turns have longer lines. */
export const NEWEST_TURNS = 12

/** Older turns are shorter. */
const LENGTHS = { newest: { outcome: 320, paths: 6 }, older: { outcome: 130, paths: 3 } }

/** Commands of a client, and words to an agent that did nothing, are not worth a line. */
const MIN_REQUEST_CHARACTERS = 24

/** Commands of a client that are no work. */
export const COMMAND_OF_CLIENT = /^\/(?:compact|clear|context|cost|model|resume|rewind|status|theme|exit|quit)(?= |$)/

/** A command of a client alone: one that was interrupted before anything was done is no request. */
const ONLY_COMMAND = /^\/[\w:-]{1,40}$/

/** Whether a turn was not at its end where the messages end. */
export const isOpen = ({ standing }: { standing?: WorkItem | undefined }): boolean =>
  standing !== undefined && isOpenAtEnd(standing)

const saysSomething = (turn: Omit<TurnFact, 'standing'> & { standing?: WorkItem | undefined }): boolean => {
  const { request, outcome, changedFiles } = turn
  if (COMMAND_OF_CLIENT.test(request) && outcome === '') return false
  if (isNoWork(request) && changedFiles.length === 0 && !isOpen(turn)) return false
  if (ONLY_COMMAND.test(request) && outcome === '' && turn.standing?.note !== undefined) return false
  return outcome !== '' || changedFiles.length > 0 || request.length >= (isOpen(turn) ? 1 : MIN_REQUEST_CHARACTERS)
}

/**
 * Returns the turns, the first one with the request that an earlier compaction has cut from it, and the statements about
 * other open requests.
 * @param open the statements of an earlier summary about open work
 * @param previous that summary
 */
export function continueTurn(facts: SessionFacts, open: readonly string[], previous: ParsedSummary | undefined) {
  const { wholeRequest = '' } = previous ?? {}
  const turns = facts.turns.filter(saysSomething)
  // Only extracts have the request of the turn that goes on: a box of another writer is a step.
  const at = previous?.newestRequest === undefined ? -1 : open.findLastIndex(isOpenTurn)
  const [first, ...others] = turns
  if (at < 0 || first === undefined || first.request !== '' || first.standing === undefined)
    return { turns, inProgress: open }
  const request = shorten(wholeOf(stepOf(open[at] ?? ''), [oneLine(namingWords(wholeRequest))]), MAX_REQUEST_CHARACTERS)
  const passages = [...readPassages(open[at] ?? ''), ...first.passages]
  const changedFiles = [...new Set([...readFiles(open[at] ?? ''), ...first.changedFiles])]
  const continued = { ...first, request: request === NO_WORDS ? '' : request, passages, changedFiles }
  return { turns: [continued, ...others], inProgress: open.toSpliced(at, 1) }
}

/** Returns the files that a statement about a turn names. */
function readFiles(statement: string): string[] {
  const [head = ''] = statement.split('\n', 1)
  const files = CHANGED_FILES.exec(withoutState(head))?.[1]?.split(', ') ?? []
  return files.filter((file) => /[./]/.test(file) && !file.startsWith('and '))
}

/** What was said before an earlier compaction is worth less than what is new. */
const EARLIER_SCORE = 2

/** Returns the details of a statement about a turn, as they were written. */
const readPassages = (statement: string): TurnFact['passages'] =>
  statement
    .split('\n')
    .slice(1)
    .filter((line) => line.startsWith(DETAIL))
    .map((line, at, all) => ({ text: line.slice(DETAIL.length), score: EARLIER_SCORE + at / all.length }))

/** What stands for a request and an answer where only the changed files are known. */
const NO_WORDS = 'Changed files:'

/** Whether a turn is a note, without a request and without changed files. */
const isNote = ({ request, changedFiles }: TurnFact): boolean => request === '' && changedFiles.length === 0

/**
 * Returns a line for each turn that is not open any more, after the commits that were made in it. Only what is done, or said to be
 * done, is ticked.
 * @param open the requests that stand among open work
 */
export function writeDoneTurns(
  turns: readonly TurnFact[],
  { commits, open }: { commits: readonly WorkCommit[]; open: ReadonlySet<number> },
): Statement[] {
  const isWritten = (turn: TurnFact): boolean =>
    !isOpen(turn) || (!open.has(turn.standing?.at ?? -1) && saysSomething({ ...turn, standing: undefined }))
  const done = turns.filter(isWritten)
  const lines = turns.map((turn) => {
    if (!isWritten(turn)) return []
    const lengths = done.indexOf(turn) >= done.length - NEWEST_TURNS ? LENGTHS.newest : LENGTHS.older
    const { state } = turn.standing ?? {}
    const isTicked = !isNote(turn) && (state === 'done' || state === 'said')
    const text = writeTurn(turn, lengths)
    const unknown = state === 'open' && !text.endsWith(')') ? ' (not known to be done)' : ''
    return [{ head: `${isTicked ? '- [x]' : '-'} ${text}${unknown}`, ...describePassages(turn) }]
  })
  const starts = turns.map(({ standing }) => standing?.at ?? -1)
  const turnOf = ({ at }: WorkCommit): number =>
    Math.max(
      0,
      starts.findLastIndex((start) => start <= at),
    )
  const made: Statement[][] = turns.map(() => [])
  for (const commit of commits) made[turnOf(commit)]?.push(writeCommit(commit))
  return lines.flatMap((line, index) => [...(made[index] ?? []), ...line])
}

/** What a message of a commit is worth: the agent has chosen its words to say what was done. */
const COMMIT_SCORE = 6

const writeCommit = ({ hash, subject, isOpen, body = [] }: WorkCommit): Statement => ({
  head: isOpen === true ? `- ${subject} (in commit ${hash})` : `- [x] ${subject} (said to be done, in commit ${hash})`,
  details: body.map((text, at) => ({
    text: DETAIL + text,
    rating: { kind: 'passage', score: COMMIT_SCORE - at / 10 },
  })),
})

/** Returns an open turn that nothing has confirmed since, on one line. */
export const writePassedTurn = (turn: TurnFact): string => `${DETAIL}[ ] ${writeTurn(turn, LENGTHS.older)}`

/** Returns a line for an open turn. @param openParts what is still open of its request, as the end of the line */
export function writeOpenTurn(turn: TurnFact, openParts: string): Statement {
  const named = openParts === '' ? turn : { ...turn, request: nameOfRequest(turn.request) }
  return { head: `- [ ] ${writeTurn(named, LENGTHS.newest)}${openParts}`, ...describePassages(turn) }
}

function writeTurn(turn: TurnFact, lengths: (typeof LENGTHS)['newest']): string {
  const { request, outcome, changedFiles, standing } = turn
  const shown = changedFiles.slice(-lengths.paths).map(shortenPath)
  const more = changedFiles.length > shown.length ? `, and ${changedFiles.length - shown.length} more` : ''
  const files = shown.length === 0 ? '' : ` [${shown.join(', ')}${more}]`
  const words = shorten(outcome, lengths.outcome)
  const text = [request, words].filter((one) => one !== '').join(OUTCOME_MARK) || NO_WORDS
  const rest = `${files}${standing === undefined || isNote(turn) ? '' : writeItemState(withoutSaidNote(standing, words))}`
  // What follows belongs to the same sentence.
  return `${rest === '' ? text : text.replace(/[.!]$/, '')}${rest}`
}

/**
 * Returns the state of a turn without the words of the agent that are on its line already. Of what is not open, the user's next words
 * are on the next line.
 */
function withoutSaidNote({ since = [], ...item }: WorkItem, words: string): WorkItem {
  const standing = item.state === 'open' && since.length > 0 ? { ...item, since } : item
  const [, said] = AGENT_NOTE.exec(standing.note ?? '') ?? []
  if (said === undefined || !words.includes(said.replace(/[.!]$/, ''))) return standing
  const { note, ...others } = standing
  return others
}

const MAX_NOTE_CHARACTERS = 200

/** Returns the state of an item as the end of its line. */
export function writeItemState({ state, source, note: reason, since = [], entry }: WorkItem): string {
  if (reason === ANSWERED_BELOW) return ` (${reason})`
  // What stands before it on its line may be cut within a quote or a code span.
  const note = reason?.replace(/["`]/g, '')
  const short =
    note === undefined ? [] : [shorten(since.length > 0 ? note.replace(/\.$/, '') : note, MAX_NOTE_CHARACTERS)]
  const place = entry === undefined ? '' : `, entry ${entry} of the session`
  switch (state) {
    case 'done':
      return ` (done${source === undefined ? '' : `, ${source}`}${place})`
    case 'said':
      return ` (said to be done${note === undefined ? '' : `; ${note}`}${place})`
    case 'answered':
    case 'unknown':
      return ` (${['answered', ...short, ...since].join('; ')})`
    case 'replaced':
      return ` (${[note ?? 'replaced by the user', ...since].join('; ')}${place})`
    case 'open':
      return short.length + since.length === 0 ? '' : ` (${[...short, ...since].join('; ')})`
  }
}
