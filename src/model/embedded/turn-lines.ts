import type { WorkItem } from '../../extract/work-item.ts'
import { shorten } from '../../text/shorten.ts'
import { describePassages, shortenPath } from './describe-details.ts'
import { isOpenTurn, OUTCOME_MARK, stepOf } from './earlier-work.ts'
import type { TurnFact } from './facts.ts'
import type { Statement } from './ranked-lines.ts'

/** How many of the newest turns have longer lines. */
export const NEWEST_TURNS = 12

/** Older turns are shorter. */
const LENGTHS = { newest: { outcome: 320, paths: 6 }, older: { outcome: 130, paths: 3 } }

/** Commands of a client, and words to an agent that did nothing, are not worth a line. */
const MIN_REQUEST_CHARACTERS = 24

export const isOpen = ({ standing }: TurnFact): boolean => standing?.state === 'open'

export const saysSomething = (turn: TurnFact): boolean => {
  const { request, outcome, changedFiles } = turn
  return outcome !== '' || changedFiles.length > 0 || request.length >= (isOpen(turn) ? 1 : MIN_REQUEST_CHARACTERS)
}

/**
 * Returns the turns, the first one with the request that an earlier compaction has cut from it, and the statements about
 * other open requests.
 * @param open the statements of an earlier summary about open work
 */
export function continueTurn(turns: readonly TurnFact[], open: readonly string[]) {
  const at = open.findLastIndex(isOpenTurn)
  const [first, ...others] = turns
  if (at < 0 || first === undefined || first.request !== '' || first.standing === undefined)
    return { turns, inProgress: open }
  const request = stepOf(open[at] ?? '')
  const continued = { ...first, request: request === NO_WORDS ? '' : request }
  return { turns: [continued, ...others], inProgress: open.toSpliced(at, 1) }
}

/** What stands for a request and an answer where only the changed files are known. */
const NO_WORDS = 'Changed files:'

/** Whether a turn is a note, without a request and without changed files. */
const isNote = ({ request, changedFiles }: TurnFact): boolean => request === '' && changedFiles.length === 0

/** Returns a line for each turn that is not open. Only what is done, or said to be done, is ticked. */
export function writeDoneTurns(turns: readonly TurnFact[]): Statement[] {
  const done = turns.filter((turn) => !isOpen(turn))
  return done.map((turn, index) => {
    const lengths = index >= done.length - NEWEST_TURNS ? LENGTHS.newest : LENGTHS.older
    const { state } = turn.standing ?? {}
    const isTicked = !isNote(turn) && (state === 'done' || state === 'said')
    return { head: `${isTicked ? '- [x]' : '-'} ${writeTurn(turn, lengths)}`, ...describePassages(turn) }
  })
}

/** Returns a line for an open turn. */
export const writeOpenTurn = (turn: TurnFact): Statement => ({
  head: `- [ ] ${writeTurn(turn, LENGTHS.newest)}`,
  ...describePassages(turn),
})

function writeTurn(turn: TurnFact, lengths: (typeof LENGTHS)['newest']): string {
  const { request, outcome, changedFiles, standing } = turn
  const shown = changedFiles.slice(-lengths.paths).map(shortenPath)
  const more = changedFiles.length > shown.length ? `, and ${changedFiles.length - shown.length} more` : ''
  const files = shown.length === 0 ? '' : ` [${shown.join(', ')}${more}]`
  const words = shorten(outcome, lengths.outcome)
  const text = [request, words].filter((one) => one !== '').join(OUTCOME_MARK) || NO_WORDS
  return `${text}${files}${standing === undefined || isNote(turn) ? '' : writeItemState(standing)}`
}

const MAX_NOTE_CHARACTERS = 160

/** Returns the state of an item as the end of its line. */
export function writeItemState({ state, source, note: reason, entry }: WorkItem): string {
  // What stands before it on its line may be cut within a quote or a code span.
  const note = reason?.replace(/["`]/g, '')
  const place = entry === undefined ? '' : `, entry ${entry}`
  switch (state) {
    case 'done':
      return ` (done${source === undefined ? '' : `, ${source}`}${place})`
    case 'said':
      return ` (said to be done${place})`
    case 'answered':
    case 'unknown':
      return ` (answered${note === undefined ? '' : `; ${shorten(note, MAX_NOTE_CHARACTERS)}`})`
    case 'replaced':
      return ` (replaced by the user${place})`
    case 'open':
      return note === undefined ? '' : ` (${shorten(note, MAX_NOTE_CHARACTERS)})`
  }
}
