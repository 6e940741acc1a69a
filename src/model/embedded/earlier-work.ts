import type { EarlierWork } from '../../extract/find-work.ts'
import type { EarlierStep } from '../../extract/planned-steps.ts'
import { isClaim, isShortfall, saysLeft } from '../../extract/done-claims.ts'
import { findDecisions } from '../../extract/statements.ts'
import { INTENTION } from '../../extract/words.ts'
import type { ListedTask } from '../../extract/task-lists.ts'
import { splitWishes } from '../../extract/wishes.ts'
import { defined } from '../../text/defined.ts'
import { oneLine, shorten } from '../../text/shorten.ts'
import type { PostponedWords, WorkItem } from '../../extract/work-item.ts'
import type { ParsedSummary } from '../../text/summary-parts.ts'
import type { Statement } from './ranked-lines.ts'
import { CLOSING_LABELS, REWRITTEN, STEP_LABELS } from './step-labels.ts'
import { isPlan, readPlan, readPlanned } from './plan-lines.ts'
import { readPostponed } from './postponed-lines.ts'
import { readLead, readQuotedWish, withoutLead } from './quotes.ts'
import { LAST_CALL } from './write-context.ts'

/** What stands between a request and the agent's last words to it. */
export const OUTCOME_MARK = ' => '

const MARK = /^(?:[-*+]|\d{1,3}[.)])\s+/

/** A box, or the state that Gemini CLI and Qwen Code write before a step of their plans. */
const BOX = /^\[(?:[ xX]|done|completed|in progress|todo|pending)\]\s+/i
/** How a step says that it is done: by a box before it, a word after its name, or because it is struck out. */
const DONE_MARK =
  /^\[(?:x|done|completed)\]\s|^~~[^~]{1,300}~~$|\*\*: \**(?:done|completed|finished|erledigt|fertig|fait|terminé|hecho|terminado)\**[.!]?$/iu
const MAX_STEP_CHARACTERS = 240

/** Returns what a statement names: without its mark and its box, and of a request without the agent's words to it. */
export function stepOf(statement: string): string {
  const head = headOf(statement)
  const [request = ''] = head.replace(BOX, '').split(OUTCOME_MARK, 1)
  const bare = withoutLead(withoutState(request).replace(CHANGED_FILES, ''))
  return shorten(oneLine(readQuotedWish(head)?.text ?? bare), MAX_STEP_CHARACTERS)
}

const headOf = (statement: string): string => (statement.split('\n', 1)[0] ?? '').replace(MARK, '')

/** Returns the item of a statement of an earlier summary. */
export function earlierStep(statement: string, items: readonly WorkItem[]): WorkItem | undefined {
  const text = stepOf(statement)
  return items.find((item) => item.kind === 'step' && item.at < 0 && item.text === text)
}

/** What a line says at its end about its request. */
const STATES =
  / \((?:interrupted|stopped by the user|the turn failed|its turn goes on below|still open of it|taken back by |the agent(?: asked back|: )|answered|replaced |undone by |done\b|not (?:known|explicitly said) to be done|said to be done|since then: |committed(?: since)?: |the user then: |[^()]{1,200} failed(?: after that)?(?=[;)]))[^()]{0,500}\)?$/

/** Returns the beginnings of the newest requests that an earlier summary has as cut off, and that nothing has settled since. */
export function cutOffBefore(before: ParsedSummary['statements'] | undefined, items: readonly WorkItem[]): string[] {
  const { done = [], inProgress = [], nextSteps = [] } = before ?? {}
  return [...done, ...inProgress, ...nextSteps]
    .flatMap((statement) => statement.split('\n'))
    .filter((line) => CUT_OFF.test(line))
    .filter((line) => (earlierStep(line, items)?.state ?? 'open') === 'open')
    .map((line) => stepOf(line.trim()))
    .slice(-MAX_CUT_OFF)
}

/** Returns the lines of planned work in an earlier summary whose requests were cut off, and that nothing has settled since. */
export const keptCutOff = (statements: readonly string[], items: readonly WorkItem[]): string[] =>
  statements
    .filter((statement) => statement.startsWith(STEP_LABELS.older))
    .flatMap((statement) => statement.split('\n').slice(1))
    .filter((line) => CUT_OFF.test(line) && earlierStep(line.trim(), items)?.state === 'open')

const CUT_OFF = / \((?:interrupted|the turn failed)[^()]{0,500}\)$/
const MAX_CUT_OFF = 4

/** What it says of one that may still be open. */
const UNSETTLED =
  / \((?:interrupted|stopped by the user|the turn failed|still open of it|the agent: |committed(?: since)?: |the user then: |not (?:known|explicitly said) to be done)/

/** Whether a statement of an earlier summary is about a request that may still be open. */
export const isUnsettled = ({ head, isEarlier = false }: Statement): boolean => isEarlier && UNSETTLED.test(head)

/** Returns the decisions of an earlier summary, and those in the agent's words to a request: they hold longer than its line stays. */
export const earlierDecisions = ({ decisions, done, inProgress }: ParsedSummary['statements']): string[] => [
  ...decisions,
  ...[...done, ...inProgress].flatMap((statement) => {
    const [head = '', ...lines] = statement.split('\n')
    const [, ...words] = withoutState(head).replace(CHANGED_FILES, '').split(OUTCOME_MARK)
    const said = [...words, ...lines.map((line) => line.replace(/^\s*- /, ''))]
    const decided = words.length === 0 ? [] : said.flatMap(findDecisions)
    return decided.filter((sentence) => !sentence.includes(CUT)).map((sentence) => `- ${sentence}`)
  }),
]

/** The files of a turn without words of the agent. */
export const CHANGED_FILES = / \[([^[\]]{0,600})\]$/

export const withoutState = (line: string): string => line.replace(STATES, '')

/** Returns the statement about an open request of an earlier summary, with all that it says, as it stands now. */
export function settle(statement: string, { state, source }: WorkItem): string {
  const [head = '', ...lines] = statement.split('\n')
  const isTicked = state === 'done' || state === 'said'
  const known = STATES.exec(head)?.[0] ?? ''
  const isKnown = known !== '' && !/goes on below|still open of it/.test(known)
  const bare = (state === 'open' && isKnown ? head : withoutState(head)).replace(OPEN, isTicked ? '- [x] ' : '- ')
  const mark = state === 'open' && isKnown ? '' : SETTLED[state](source)
  return [bare + mark, ...lines].join('\n')
}

const SETTLED: Readonly<Record<WorkItem['state'], (source?: string) => string>> = {
  done: (source) => ` (done${source === undefined ? '' : `, ${source}`})`,
  said: () => ' (said to be done)',
  answered: () => ' (answered)',
  unknown: () => ' (answered)',
  replaced: () => ' (replaced by the user)',
  open: () => ' (not known to be done)',
}

/** Whether a statement is open work, as those below `## Early Progress` may be. */
export const isOpenTurn = (statement: string): boolean => OPEN.test(statement)

const OPEN = /^- \[ \] /

/** Returns the open work of an earlier summary, and its lists of tasks. */
export function readEarlierWork({ statements, newestRequest, wholeRequest = '' }: ParsedSummary): EarlierWork {
  const { done, inProgress, pending, nextSteps } = statements
  const steps: EarlierStep[] = []
  const postponed: PostponedWords[] = []
  const tasks: ListedTask[] = done.filter(isPlan).flatMap(readPlan)
  for (const statement of [...done.filter(isOpenTurn), ...nextSteps, ...inProgress, ...pending]) {
    if (statement.startsWith(STEP_LABELS.postponed)) postponed.push(...readPostponed(statement.split('\n').slice(1)))
    if (CLOSING_LABELS.some((label) => statement.startsWith(label))) steps.push(...readClosingWishes(statement))
    if (LAST_CALL.test(statement) || REWRITTEN.some((label) => statement.startsWith(label))) continue
    const lines = statement.split('\n').slice(1)
    const isOlder = statement.startsWith(STEP_LABELS.older)
    const isPart = [STEP_LABELS.newest, STEP_LABELS.open].some((label) => statement.startsWith(label))
    if (isPlan(statement)) tasks.push(...readPlan(statement))
    else if (isOlder || isPart)
      for (const line of lines) {
        const task = isOlder ? readPlanned(line) : undefined
        const isRequest = isPart || isOpenTurn(line.trim())
        if (task !== undefined) tasks.push(task)
        else {
          const step = readStep(line.trim())
          const text = isPart ? wholeOf(step.text, splitWishes(wholeRequest)) : step.text
          steps.push({ ...step, text, isOlder, isRequest, isPart })
        }
      }
    // Only extracts label their requests: there, an open box is a request.
    else {
      const isDone = inProgress.includes(statement) && saysDone(statement)
      steps.push({
        ...readStep(statement),
        isRequest: newestRequest !== undefined && isOpenTurn(statement),
        ...(isDone && { isDone }),
      })
    }
  }
  return { steps, tasks, postponed }
}

/** Where a sentence says how one thing is. Verbs with a clause of their own begin an order: `Verify the login is fixed`. */
const STATED =
  /^(?:[-*] )?(?:(?:the|all|both|\d{1,4}|d(?:ie|er|as)|alle|l[ae]s?|tou(?:te)?s|el|los|todos) |(?!(?:as(?:k|sert|sume)|check|confirm|decide|document|ensure|explain|find|half|just|make|mark|most|note|nur|only|part|prove|report|review|say|see|show|some|tell|test|validate|verify|wait|watch|write)\s|\[)[^\s,;:]{1,60}(?: (?!(?:that|the|what|which|whether|why|how|who|if|when|until|dass|ob)\s)[^\s,;:]{1,30}){0,2} (?:(?:is|are|was|were|(?:has|have) been|ist|sind|wurden?|est|sont|está|están) ))/i

/** Words by which something is left. */
const REST =
  /(?<![\p{L}])(?:\d{1,6} (?:out )?(?:of|von|sur|de) \d|(?:is|are|still) (?:still )?(?:missing|open|left|pending)|about to|except|besides|apart from|but|now|next|außer|bis auf|sauf|excepto|menos)(?![\p{L}])/iu

/** Whether what a summary has as current work only says what is finished. */
const saysDone = (statement: string): boolean =>
  STATED.test(statement) &&
  !REST.test(statement) &&
  statement
    .split(/[.;]\s/)
    .every((clause) => isClaim(clause) && !isShortfall(clause, true) && !saysLeft(clause) && !INTENTION.test(clause))

export const CUT = '…'

/** Returns the text that a name abbreviates by three dots at its end or its beginning; the name itself if no text fits. */
export function wholeOf(name: string, texts: readonly string[]): string {
  const words = name.replace(/^…|…$/g, '')
  const isOf = (text: string): boolean => (name.startsWith(CUT) ? text.includes(words) : text.startsWith(words))
  return (words === name ? undefined : texts.find(isOf)) ?? name
}

/** Returns the wishes that are quoted below the agent's closing words. */
const readClosingWishes = (statement: string): EarlierStep[] =>
  statement
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => readQuotedWish(headOf(line)) !== undefined)
    .map((line) => ({ ...readStep(line), isOlder: true }))

const readStep = (statement: string): EarlierStep => ({
  text: stepOf(statement),
  ...defined({ lead: readLead(headOf(statement)), note: readQuotedWish(headOf(statement))?.note }),
  ...(statement.includes('\n') || statement.length > MAX_STEP_CHARACTERS ? { whole: statement } : {}),
  isOlder: false,
  isDone: !isOpenTurn(statement) && DONE_MARK.test(headOf(statement)),
})
