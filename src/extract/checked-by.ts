import { inFolder } from '../files/paths.ts'
import { CheckNames, OTHER_STATE } from './check-names.ts'
import { checkOf, COMMIT_CHECK, INTEGRATES, isCheckingPart, isOfCommit, type Check } from './checks.ts'
import { hidesOwn, isControl, isQuery } from './exit-status.ts'
import { judgeOutput } from './judge-output.ts'
import { commitsOf, isInBackground, outcomeOf, outputOf, showsFailure, simpleCommandsOf, type ToolRun } from './runs.ts'
import { describeFailedTests, isNameOfTest } from './failed-tests.ts'
import { splitCommand, type SimpleCommand } from './shell.ts'
import { runsElsewhere } from './taking-back.ts'
import { afterTests, fromTests, resultOfTests, runsTests } from './test-runners.ts'

/** Returns what the command of a run checks; of one that has failed, the parts that may have. */
export const checkedBy = (run: ToolRun): Check => (run.check ??= placed(readChecked(run), run))

/** Returns a check with its folder: files in another state are another place. */
export function placed(check: Check, run: ToolRun): Check {
  const { folder: cwd } = run
  const folder = cwd === undefined ? check.folder : inFolder(cwd, check.folder)
  const isApart = outcomeOf(run).kind !== 'failed' && runsElsewhere(simpleCommandsOf(run))
  return { ...check, folder: isApart ? folder + OTHER_STATE : folder, ...(cwd !== undefined && { cwd }) }
}

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
  const sure = kind === 'succeeded' ? [] : surelyPassed(run)
  if (kind === 'unknown') return sure.length === 0 ? check : { ...check, passed: sure }
  if (check.parts.length < 2) return check
  const isChain = check.proven.length === check.parts.length
  const at = isChain ? testsInPipe(check, run) : -1
  const result = isChain && at < 0 ? undefined : resultOfTests(outputOf(run))
  // Where a client says that a command has failed, that is its last part, which may be tests that show only some results.
  const isLast = runsTests(check.parts.at(-1) ?? '')
  const tests = result === 'passed' && kind === 'failed' && isLast && !showsFailure(run) ? undefined : result
  if (kind === 'succeeded')
    return {
      ...check,
      proven: check.parts.filter((part) => isProven(part, check, run) || (tests === 'passed' && runsTests(part))),
    }
  const isMade = commitsOf(run).length > 0
  const others = passedBeside(check, outputOf(run), tests)
  const conflict = conflictIn(check, run)
  const hasPassed = (part: string): boolean =>
    sure.includes(part) ||
    others.includes(part) ||
    (tests === 'passed' && check.parts.indexOf(part) < at) ||
    (isMade && part === COMMIT_CHECK) ||
    (tests === 'passed' && runsTests(part))
  const parts = check.parts.filter(
    (part) =>
      !hasPassed(part) && !(isMade && isOfCommit(part)) && mayHaveFailed(part, tests) && (conflict ?? part) === part,
  )
  if (parts.length === 0 || parts.length === check.parts.length) return check
  return { ...check, parts, proven: parts, passed: check.parts.filter(hasPassed) }
}

const isRebase = (part: string): boolean => part.startsWith('git rebase')

const hasRebased = (output: string): boolean => REBASED.test(output) && !CONFLICT.test(output)

/** Returns the parts of a command whose output is piped, so that their exit status is another one's. */
const pipedParts = (run: ToolRun): string[] =>
  simpleCommandsOf(run).flatMap((one) => (one.operator === '|' && !isQuery(one) ? checkOf('', [one]).parts : []))

/** Whether a part of a command that succeeded has succeeded itself. The exit status of a piped part is lost, unless `pipefail` is set. */
const isProven = (part: string, { parts, proven }: Check, run: ToolRun): boolean =>
  proven.includes(part) &&
  (part === parts.at(-1) ||
    !pipedParts(run).includes(part) ||
    simpleCommandsOf(run).some(({ text }) => /^set .*\bpipefail\b/.test(text)))

/** Returns the place of tests whose output is piped, so that a chain goes on whatever they say; -1 where a part before them is piped too. */
function testsInPipe({ parts }: Check, run: ToolRun): number {
  const isRebased = hasRebased(outputOf(run))
  const piped = pipedParts(run)
  const at = parts.findIndex((part) => piped.includes(part) && !(isRebased && isRebase(part)))
  return runsTests(parts[at] ?? '') ? at : -1
}

/** Beside words of control: what makes it unclear which of several commands has run last, or what its status says. */
const UNCLEAR = /^[{}](?: |$)|^g?make (?:\S+ ){0,9}(?:-[a-z]{0,4}[inq]|--(?:ignore|dry|just|question|recon))/

/** What shows the end of an output. */
export const FROM_END = /^tail(?: -n? ?[1-9]\d{0,5})?$/

/** The line with which make ends if it has failed. */
const MAKE_FAILED = /^g?make(?:\[\d+\])?: /

/**
 * Returns the last part of a command that its client says to have succeeded: its status is that of the command. Where its output is piped to
 * `tail`, make shows its failure.
 */
function surelyPassed(run: ToolRun): readonly string[] {
  const { result, command = '' } = run
  const isMarked = result?.role === 'bashExecution' || (result?.isError === false && result.isUnmarked !== true)
  const { kind, isAborted } = outcomeOf(run)
  // Where the output shows a failure, only the status itself says that this is not the last part's.
  const status = result?.exitCode ?? (kind === 'failed' ? undefined : 0)
  if (!isMarked || status !== 0 || isAborted === true) return []
  if (isInBackground(run)) return []
  const commands = simpleCommandsOf(run)
  const start = commands.findLastIndex(({ operator }, at) => at < commands.length - 1 && operator !== '|') + 1
  const [last, filter, more] = commands.slice(start)
  const begins = commands.findIndex((one) => !isQuery(one))
  const isUnclear = (one: SimpleCommand, at: number): boolean =>
    isControl(one) ||
    UNCLEAR.test(one.text) ||
    hidesOwn(one) ||
    /[()`]|\|\|/.test(one.operator) ||
    (at > begins && /^(?:cd|pushd|popd)$/.test(one.program)) ||
    (at < start && one.text === last?.text)
  if (last === undefined || isQuery(last) || commands.some(isUnclear)) return []
  const isShown =
    FROM_END.test(filter?.text ?? '') &&
    more === undefined &&
    last.hidesErrors === true &&
    last.redirections.length === 0
  const ends = outputOf(run).trimEnd().split('\n').at(-1) ?? ''
  const isMade = isShown && /^g?make$/.test(last.program) && !MAKE_FAILED.test(ends)
  const { parts } = checkOf(command, commands)
  return isMade || (filter === undefined && last.operator === '')
    ? checkOf(command, [last]).parts.filter((part) => parts.includes(part))
    : []
}

/** Git could not join two states. */
const CONFLICT = /^(?:CONFLICT \(|error: could not apply )/m
const REBASED = /^Successfully rebased and updated /m

/** Returns the part of a command that has stopped at a conflict, if nothing before it has shown a failure. */
function conflictIn({ proven }: Check, run: ToolRun): string | undefined {
  const output = outputOf(run)
  const at = output.search(CONFLICT)
  const isFirst = at >= 0 && judgeOutput(simpleCommandsOf(run), output.slice(0, at)) !== 'failed'
  return isFirst ? proven.find((part) => INTEGRATES.test(part)) : undefined
}

/** Returns the parts of a command that has failed which its output shows to have passed: a rebase, and the one after failed tests. */
function passedBeside({ parts }: Check, output: string, tests: ReturnType<typeof resultOfTests>): string[] {
  const rebases = parts.filter(isRebase)
  const rebased = rebases.length === 1 && hasRebased(output) ? rebases : []
  const at = parts.findIndex(runsTests)
  const rest = tests === 'failed' && at === parts.length - 2 ? afterTests(output) : ''
  const ends = rest.slice(rest.lastIndexOf('\n') + 1)
  const isPassed = [rest, ends].every(
    (text) => text !== '' && judgeOutput(splitCommand(parts.at(-1) ?? ''), text) === 'succeeded',
  )
  return [...rebased, ...(isPassed ? parts.slice(-1) : [])]
}

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
