import type { EarlierStep, EarlierWork } from '../../extract/find-work.ts'
import type { ListedTask } from '../../extract/task-lists.ts'
import { oneLine, shorten } from '../../text/shorten.ts'
import type { ParsedSummary } from './parse-summary.ts'
import { isPlan, readPlan, readPlanned } from './plan-lines.ts'
import { LAST_CALL } from './write-context.ts'

/** Labels of lines among the next steps, by which they are found again. */
export const STEP_LABELS = {
  newest: '- Finish the newest request',
  answer: '- Do what the user answered: ',
  stand: '- Go on where the agent was: ',
  check: '- Last failed check: ',
  commit: '- Last refused commit: ',
  edit: '- Last failed edit: ',
  older: '- Planned earlier, not confirmed:',
} as const

/** Of these lines, each extract has its own. */
export const REWRITTEN = [
  STEP_LABELS.answer,
  STEP_LABELS.stand,
  STEP_LABELS.check,
  STEP_LABELS.commit,
  STEP_LABELS.edit,
]

/** What stands between a request and the agent's last words to it. */
export const OUTCOME_MARK = ' => '

const MARK = /^(?:[-*+]|\d{1,3}[.)])\s+/

/** A box, or the state that Gemini CLI and Qwen Code write before a step of their plans. */
const BOX = /^\[(?:[ xX]|done|completed|in progress|todo|pending)\]\s+/i
const DONE_BOX = /^\[(?:x|done|completed)\]\s/i
const MAX_STEP_CHARACTERS = 240

/** Returns what a statement names: without its mark and its box, and of a request without the agent's words to it. */
export function stepOf(statement: string): string {
  const [head = ''] = statement.split('\n', 1)
  const [request = ''] = head.replace(MARK, '').replace(BOX, '').split(OUTCOME_MARK, 1)
  const bare = withoutState(request).replace(CHANGED_FILES, '')
  return shorten(oneLine(bare), MAX_STEP_CHARACTERS)
}

/** What a line says at its end about its request. */
const STATES =
  / \((?:interrupted|the turn failed|its turn goes on below|taken back by |the agent(?: asked back|: )|answered|replaced |done\b|said to be done|since then: |[^()]{1,200} failed(?: after that)?\))[^()]{0,200}\)?$/

/** The files of a turn without words of the agent. */
const CHANGED_FILES = / \[[^[\]]{0,300}\]$/

const withoutState = (line: string): string => line.replace(STATES, '')

/** Whether a statement is open work, as those below `## Early Progress` may be. */
export const isOpenTurn = (statement: string): boolean => /^- \[ \] /.test(statement)

/** Returns the open work of an earlier summary, and its lists of tasks. */
export function readEarlierWork({ statements, newestRequest }: ParsedSummary): EarlierWork {
  const { done, inProgress, pending, nextSteps } = statements
  const steps: EarlierStep[] = []
  const tasks: ListedTask[] = done.filter(isPlan).flatMap(readPlan)
  for (const statement of [...done.filter(isOpenTurn), ...nextSteps, ...inProgress, ...pending]) {
    if (LAST_CALL.test(statement) || REWRITTEN.some((label) => statement.startsWith(label))) continue
    const lines = statement.split('\n').slice(1)
    const isOlder = statement.startsWith(STEP_LABELS.older)
    // Only extracts label their requests: there, an open box is a request.
    const isRequest = !isOlder && newestRequest !== undefined && isOpenTurn(statement)
    if (isPlan(statement)) tasks.push(...readPlan(statement))
    else if (isOlder || statement.startsWith(STEP_LABELS.newest))
      for (const line of lines) {
        const task = isOlder ? readPlanned(line) : undefined
        if (task === undefined) steps.push({ ...readStep(line.trim()), isOlder, isRequest: !isOlder })
        else tasks.push(task)
      }
    else steps.push({ ...readStep(statement), isRequest })
  }
  return { steps, tasks }
}

const readStep = (statement: string): EarlierStep => ({
  text: stepOf(statement),
  ...(statement.includes('\n') ? { whole: statement } : {}),
  isOlder: false,
  isDone: DONE_BOX.test(statement.replace(MARK, '')),
})
