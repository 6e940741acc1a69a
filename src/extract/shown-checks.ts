import { checkedBy, FROM_END, placed } from './checked-by.ts'
import { checkOf, type Check } from './checks.ts'
import { isQuery } from './exit-status.ts'
import { isInBackground, outcomeOf, simpleCommandsOf, type ToolRun } from './runs.ts'
import type { SimpleCommand } from './shell.ts'

/** Whether the output of a command may go elsewhere, or is cut other than at its beginning. */
const mayHideOutput = ({ operator, redirections }: SimpleCommand, at: number, all: readonly SimpleCommand[]): boolean =>
  operator === '&' ||
  redirections.some((one) => one.operator !== '>&') ||
  (operator === '|' && !FROM_END.test(all[at + 1]?.text ?? ''))

/** Returns all that a run checks, if its whole output is there; undefined otherwise. Of one that has failed, `passed` are the parts that have not. */
export function seenCheck(run: ToolRun): Check | undefined {
  const { command } = run
  const commands = simpleCommandsOf(run)
  const isCut = outcomeOf(run).isAborted === true || commands.some(mayHideOutput) || isInBackground(run)
  if (command === undefined || isCut) return undefined
  const [check, { parts }] = [checkedBy(run), checkOf(command, commands)]
  const isOwn = (part: string): boolean => outcomeOf(run).kind === 'failed' && check.parts.includes(part)
  return { ...check, parts, passed: parts.filter((part) => !isOwn(part)) }
}

/** Returns what a run would show the errors of: without the parts whose errors go elsewhere. None if the user has stopped it, or its client does not say how
 * it ended. */
export function shownCheck(run: ToolRun): Check {
  const commands = simpleCommandsOf(run)
  const shown = commands.filter((one) => one.hidesErrors !== true || isQuery(one))
  const isUnmarked = run.result?.role === 'toolResult' && run.result.isUnmarked === true
  if (outcomeOf(run).isAborted === true || isUnmarked || shown.length === 0)
    return { parts: [], folder: '', proven: [] }
  const { passed = [] } = checkedBy(run)
  return shown.length === commands.length
    ? checkedBy(run)
    : placed({ ...checkOf(run.command ?? '', shown), passed }, run)
}
