import { ASKED } from '../../extract/turn-end.ts'
import type { WorkItem } from '../../extract/work-item.ts'
import { shorten } from '../../text/shorten.ts'
import type { ParsedSummary } from '../../text/summary-parts.ts'
import { DETAIL } from './describe-details.ts'
import { CHANGED_FILES, CUT, OUTCOME_MARK, withoutState } from './earlier-work.ts'
import type { SessionFacts } from './facts.ts'
import { changeHead, type Statement } from './ranked-lines.ts'
import { CLOSING_LABELS, STEP_LABELS } from './step-labels.ts'
import { writeItemState } from './turn-lines.ts'

/** The words with which the agent closes its answer: they are quoted, and are no orders. */

/**
 * Returns the agent's closing words where the newest request is answered: whether they leave anything to be done is the reader's to judge.
 * @param isLast whether nothing else is open
 */
export function writeClosing({ work, stand }: SessionFacts, request: WorkItem, isLast: boolean): Statement {
  const { asks, closed, closedBefore, settled } = STEP_LABELS
  const wishes = work.items.filter(({ kind, state, at }) => kind === 'wish' && state === 'open' && at === request.at)
  const isAllClosed = isLast && wishes.length === 0
  const label = work.kept === 'request' ? closedBefore : request.note === ASKED ? asks : isAllClosed ? settled : closed
  return {
    head: [
      `${label}"${(stand.closing ?? '').replaceAll('"', "'")}"`,
      ...wishes.map((wish) => DETAIL + (wish.note === undefined ? UNNAMED : '') + wish.text + writeItemState(wish)),
    ].join('\n'),
  }
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
      const [name = ''] = outcome.split(CUT, 1)
      const isOfClosing = outcome.includes(CUT) && name.length > MIN_NAME_CHARACTERS && closing.startsWith(name)
      return isOfClosing ? head.replace(outcome, () => shorten(closing, MAX_RESTORED_CHARACTERS)) : head
    })
  const { done, inProgress } = statements
  return { ...statements, done: done.map(restore), inProgress: inProgress.map(restore) }
}

const MIN_NAME_CHARACTERS = 6
const MAX_RESTORED_CHARACTERS = 320

/** Returns the agent's closing words that a line quotes; undefined if it is another line. */
function readClosing(line: string): string | undefined {
  const label = CLOSING_LABELS.find((one) => line.startsWith(one))
  return label === undefined ? undefined : line.split('\n', 1)[0]?.slice(label.length).replace(/^"|"$/g, '')
}
