import { CheckNames } from './check-names.ts'
import { checkOf, COMMIT_CHECK, isCheckingPart, isOfCommit, type Check } from './checks.ts'
import { isQuery } from './exit-status.ts'
import { commitsOf, outcomeOf, outputOf, showsFailure, simpleCommandsOf, type ToolRun } from './runs.ts'
import { describeFailedTests, isNameOfTest } from './failed-tests.ts'
import { fromTests, resultOfTests, runsTests } from './test-runners.ts'

/** Returns what the command of a run checks; of one that has failed, the parts that may have. */
export const checkedBy = (run: ToolRun): Check => (run.check ??= readChecked(run))

/** Returns the names of the checks of runs. */
export const checkNamesOf = (runs: Iterable<ToolRun>): CheckNames =>
  new CheckNames([...runs].flatMap((run) => (run.command === undefined ? [] : checkedBy(run))))

/**
 * Where a command runs several things whatever becomes of the one before, its status is that of the last one. Its output says more: tests
 * report their results, and a commit that was made has not failed.
 */
function readChecked(run: ToolRun): Check {
  const check = checkOf(run.command ?? '', simpleCommandsOf(run))
  const { kind } = outcomeOf(run)
  if (check.parts.length < 2 || kind === 'unknown') return check
  const isChain = check.proven.length === check.parts.length
  const result = isChain ? undefined : resultOfTests(outputOf(run))
  // Where a client says that a command has failed, that is its last part, which may be tests that show only some results.
  const tests = result === 'passed' && kind === 'failed' && !showsFailure(run) ? undefined : result
  if (kind === 'succeeded')
    return tests === 'passed' ? { ...check, proven: check.parts.filter(isProvenBy(check)) } : check
  const isMade = commitsOf(run).length > 0
  const parts = check.parts.filter((part) => !(isMade && isOfCommit(part)) && mayHaveFailed(part, tests))
  if (parts.length === 0 || parts.length === check.parts.length) return check
  const passed = check.parts.filter(
    (part) => (isMade && part === COMMIT_CHECK) || (tests === 'passed' && runsTests(part)),
  )
  return { ...check, parts, proven: parts, passed }
}

const isProvenBy =
  ({ proven }: Check) =>
  (part: string): boolean =>
    proven.includes(part) || runsTests(part)

/** Whether a part of a command has failed for all that its output says about tests. */
const mayHaveFailed = (part: string, tests: ReturnType<typeof resultOfTests>): boolean =>
  tests === undefined ||
  (tests === 'failed' ? runsTests(part) || isCheckingPart(part) || part === COMMIT_CHECK : !runsTests(part))

/** Returns the output of a run that has failed, from the results of tests on, if these are what has failed of several commands. */
export function failedOutput(run: ToolRun): string {
  const { command = '' } = run
  const { parts } = checkedBy(run)
  const isPart = parts.length < checkOf(command, simpleCommandsOf(run)).parts.length
  return isPart && parts.every(runsTests) ? fromTests(outputOf(run)) : outputOf(run)
}

/** Returns which tests have failed in a run that has failed, if its output says so. */
export const failedTestsOf = (run: ToolRun): string | undefined =>
  resultOfTests(outputOf(run)) === 'failed' ? describeFailedTests(failedOutput(run)) : undefined

/** Returns which tests have failed with the reason of one of them, unless that only names it. */
export const withReason = (tests: string | undefined, reason: string): string =>
  tests === undefined ? reason : reason === '' || isNameOfTest(reason) ? tests : `${tests}; ${reason}`

/** Returns the command of a run that has failed: the parts that may have, where its output shows that others have not. */
export function failedCommand(run: ToolRun): string {
  const { command = '' } = run
  const { parts } = checkedBy(run)
  return parts.length < checkOf(command, simpleCommandsOf(run)).parts.length ? parts.join(' && ') : command
}

/** Returns what a run would show the errors of: without the parts whose errors go elsewhere. None if the user has stopped it, or its client does not say how
 * it ended. */
export function shownCheck(run: ToolRun): Check {
  const commands = simpleCommandsOf(run)
  const shown = commands.filter((one) => one.hidesErrors !== true || isQuery(one))
  const isUnmarked = run.result?.role === 'toolResult' && run.result.isUnmarked === true
  if (outcomeOf(run).isAborted === true || isUnmarked || shown.length === 0)
    return { parts: [], folder: '', proven: [] }
  return shown.length === commands.length ? checkedBy(run) : checkOf(run.command ?? '', shown)
}
