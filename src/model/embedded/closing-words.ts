import { AGENT_NOTE, ASKED, PARTLY } from '../../extract/turn-end.ts'
import type { SessionWork, WorkItem } from '../../extract/work-item.ts'
import { shorten } from '../../text/shorten.ts'
import type { ParsedSummary } from '../../text/summary-parts.ts'
import { DETAIL } from './describe-details.ts'
import { CHANGED_FILES, CUT, OUTCOME_MARK, withoutState } from './earlier-work.ts'
import type { SessionFacts } from './facts.ts'
import { quotable } from './quotes.ts'
import { changeHead, type Statement } from './ranked-lines.ts'
import { CLOSING_LABELS, STEP_LABELS } from './step-labels.ts'
import { writeItemState } from './turn-lines.ts'
import { writeWishes } from './wish-lines.ts'

/**
 * Returns the agent's closing words where the newest request is answered, with what else the answer says is missing: they are quoted, and are
 * no orders. Whether they leave anything to be done is the reader's to judge.
 */
export function writeClosing({ work, stand }: SessionFacts, request: WorkItem): Statement {
  const wishes = work.items.filter(({ kind, state, at }) => kind === 'wish' && state === 'open' && at === request.at)
  const closing = quotable(stand.closing ?? '')
  const { state, note } = request
  const [, missing = note] = AGENT_NOTE.exec(note ?? '') ?? []
  const isNamed =
    missing === undefined ||
    note === ASKED ||
    (note === PARTLY && wishes.length > 0) ||
    closing.includes(quotable(missing))
  return {
    head: [
      `${labelOf(request, work.kept)}"${closing}"`,
      ...(state === 'open' && !isNamed ? [DETAIL + writeItemState(request).trim().slice(1, -1)] : []),
      ...writeWishes(wishes).map((line, at) => DETAIL + (wishes[at]?.note === undefined ? UNNAMED : '') + line),
    ].join('\n'),
  }
}

function labelOf({ state, note }: WorkItem, kept: SessionWork['kept']): string {
  const { asks, closed, closedBefore, unfinished, unfinishedBefore } = STEP_LABELS
  if (kept === 'request') return state === 'open' && note !== ASKED ? unfinishedBefore : closedBefore
  if (note === ASKED) return asks
  return state === 'open' ? unfinished : closed
}

/** What a wish is of which the answer has no words. */
const UNNAMED = 'The answer does not name: '

/** Whether a request is answered where the messages end: only then has its state a message that shows it. */
export const isClosed = ({ state, provenAt }: WorkItem, { stand }: SessionFacts): boolean =>
  provenAt !== undefined && state !== 'replaced' && stand.closing !== undefined

/**
 * Returns the statements of an earlier summary with the agent's closing words, which are quoted among its next steps, at the request that they
 * answer: the line of that has a name for them.
 */
export function restoreClosing(statements: ParsedSummary['statements']): ParsedSummary['statements'] {
  const closing = statements.nextSteps.map(readClosing).find((words) => words !== undefined)
  if (closing === undefined) return statements
  const restore = (statement: string): string =>
    changeHead(statement, (head) => {
      const [, outcome = ''] = withoutState(head).replace(CHANGED_FILES, '').split(OUTCOME_MARK, 2)
      const name = outcome.trimEnd().slice(0, -CUT.length)
      const isOfClosing =
        outcome.trimEnd().endsWith(CUT) && name.length > MIN_NAME_CHARACTERS && closing.startsWith(name)
      return isOfClosing ? head.replace(outcome, () => shorten(closing, MAX_RESTORED_CHARACTERS)) : head
    })
  // The newest request is the last one of its section: the answer of an older one may begin alike.
  const restoreLast = (lines: readonly string[]): string[] =>
    lines.map((line, at) => (at === lines.length - 1 ? restore(line) : line))
  const { done, inProgress } = statements
  return { ...statements, done: restoreLast(done), inProgress: restoreLast(inProgress) }
}

const MIN_NAME_CHARACTERS = 6
const MAX_RESTORED_CHARACTERS = 320

/** Returns the agent's closing words that a line quotes; undefined if it is another line. */
function readClosing(line: string): string | undefined {
  const label = CLOSING_LABELS.find((one) => line.startsWith(one))
  return label === undefined ? undefined : line.split('\n', 1)[0]?.slice(label.length).replace(/^"|"$/g, '')
}
