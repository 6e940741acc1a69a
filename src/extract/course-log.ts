import { normalizePath } from '../files/paths.ts'
import { defined } from '../text/defined.ts'
import { oneLine, shorten } from '../text/shorten.ts'
import { checkedBy, checkNamesOf, failedCommand, failedOutput, failedTestsOf, withReason } from './checked-by.ts'
import { checkName } from './check-names.ts'
import { namingWords } from './cut-request.ts'
import { DIFF_STAT, courseCommand, findResult, lastLine } from './command-results.ts'
import { findMilestones, type CommandStep, type CourseStep } from './describe-course.ts'
import { onlyLooks } from './exit-status.ts'
import { FailedChecks } from './failed-checks.ts'
import { countSkippedTests } from './failed-tests.ts'
import { findCause, findErrors, showsError } from './find-errors.ts'
import { hasNotRun, type Outcome } from './outcome.ts'
import { commitsOf, outcomeOf, outputOf, showsFailure, simpleCommandsOf, type ToolRun } from './runs.ts'
import { shownCheck } from './shown-checks.ts'
import { changesTracker, closingReason } from './tracker-calls.ts'

/** As many steps are remembered; of older ones, those that ended a piece of work. */
const MAX_STEPS = 400
const MAX_MILESTONES = 100

const MAX_COMMAND_CHARACTERS = 140
const MAX_SAID_CHARACTERS = 160

/** As many files are named of those that were changed until a check passed. */
const MAX_FIX_FILES = 4

/** Commands that only go to a folder before the one that matters. */
const FOLDER_BEFORE = /^cd [^&;|]{1,200}&& ?/

/** The reason for which an issue is closed stands among what is done. */
const REASON = / --reason[= ].*/

/** Records what was done, in order. Only what changed something, or checked it, is a step. */
export class CourseLog {
  #steps: CourseStep[] = []
  /** By the command. */
  readonly #said = new Map<string, string | undefined>()
  readonly #failed: FailedChecks<FailedStep>
  /** The changed files, in order. */
  readonly #changes: string[] = []

  /** @param runs all runs of the conversation, which say how commands differ */
  constructor(runs: Iterable<ToolRun>) {
    this.#failed = new FailedChecks(checkNamesOf(runs))
  }

  say(text: string): void {
    if (text.trim() !== '') this.#add({ kind: 'user', text: oneLine(namingWords(text)) })
  }

  /** Records that a file was changed. */
  change(path: string): void {
    this.#failed.change(path)
    const name = normalizePath(path) ?? path
    this.#changes.push(name)
    const last = this.#steps.at(-1)
    if (last?.kind === 'edits') last.files.set(name, (last.files.get(name) ?? 0) + 1)
    else this.#add({ kind: 'edits', files: new Map([[name, 1]]) })
  }

  /** Records how a command ended. What was looked at is not known any more. */
  end(run: ToolRun): void {
    const { command } = run
    if (command === undefined) return
    const outcome = outcomeOf(run)
    const output = outputOf(run)
    if (!onlyLooks(simpleCommandsOf(run))) {
      if (hasNotRun(outcome)) {
        this.#run(command, outcome, outcome.isMissing === true ? findCause(output) : undefined)
        return
      }
      const error = outcome.kind === 'failed' ? findCause(failedOutput(run)) : ''
      const result = findResult(output) ?? (outcome.kind === 'unknown' ? lastLine(output) : undefined)
      const isMade = outcome.kind === 'failed' && commitsOf(run).length > 0
      const tests = outcome.kind === 'failed' ? failedTestsOf(run) : undefined
      const said = tests?.includes(': ') === true ? tests : withReason(tests, error) || result
      const step = this.#run(isMade ? failedCommand(run) : courseCommand(run), outcome, said)
      this.#check(run, step, error === '' ? '' : findErrors(failedOutput(run), 1)[0])
      // What failed beside a commit has not undone it.
      if (isMade) this.#run(courseCommand(run), { kind: 'succeeded' }, undefined)
    } else if (simpleCommandsOf(run).some(changesTracker) || DIFF_STAT.test(output)) {
      const reason = closingReason(run)
      const step = this.#run(command, outcome, findResult(output))
      if (reason !== undefined) step.reason = reason
    }
  }

  steps(): CourseStep[] {
    return this.#steps
  }

  /**
   * @param said the line of its output that says how
   * @returns the step, or the last one, if that is the same
   */
  #run(whole: string, outcome: Outcome, said: string | undefined): CommandStep {
    const command = shorten(oneLine(whole).replace(FOLDER_BEFORE, '').replace(REASON, ''), MAX_COMMAND_CHARACTERS)
    const step: CommandStep = {
      kind: 'command',
      command,
      outcome,
      times: 1,
      ...defined({ said: said && shorten(oneLine(said), MAX_SAID_CHARACTERS) }),
    }
    const isAsBefore = said !== undefined && this.#said.get(command) === step.said
    this.#said.set(command, step.said)
    const last = this.#steps.at(-1)
    if (last?.kind === 'command' && last.command === command && last.said === step.said) {
      last.times += 1
      return last
    }
    if (isAsBefore && outcome.kind === 'succeeded') step.isAsBefore = true
    this.#add(step)
    return step
  }

  /** Records whether a check has failed. The steps of failed ones that pass by it say so. */
  #check(run: ToolRun, step: CommandStep, error = ''): void {
    const check = checkedBy(run)
    const { kind } = outcomeOf(run)
    const command = oneLine(run.command ?? '')
    const changes = this.#changes.length
    if (kind === 'failed') {
      const before = this.#failed.get(check)
      // The same check has failed again, at something else.
      if (
        before !== undefined &&
        before.error !== '' &&
        before.step !== step &&
        !showsError(outputOf(run), before.error)
      )
        before.step.isOver = true
      const skipped = countSkippedTests(outputOf(run))
      const failed = { step, command, error, isShown: showsFailure(run), name: checkName(check), skipped, changes }
      for (const passed of this.#failed.fail(check, failed, outputOf(run))) passed.step.isPassed = true
      return
    }
    const failed = this.#failed.get(check)
    // A command whose output has shown its failure shows none now.
    if (kind === 'succeeded' || (failed?.isShown === true && failed.command === command))
      this.#solve(this.#failed.pass(check), { run, name: checkName(check), command: step.command })
    else for (const over of this.#failed.rerun(shownCheck(run), outputOf(run))) over.step.isOver = true
  }

  /** Records that checks have passed by a command. If they are several, one of them says how: the same check, or the last. */
  #solve(passed: readonly FailedStep[], by: { run: ToolRun; name: string; command: string }): void {
    if (passed.some(({ name, skipped }) => name === by.name && skipped < countSkippedTests(outputOf(by.run)))) {
      // A test that is left out now has not passed.
      for (const { step } of passed) step.isOver = true
      return
    }
    for (const { step } of passed) step.isPassed = true
    const solved = passed.find(({ name }) => name === by.name) ?? passed.at(-1)
    if (solved === undefined) return
    const files = [...new Set(this.#changes.slice(solved.changes))].slice(-MAX_FIX_FILES)
    const isOther = solved.name !== by.name
    if (files.length > 0 || isOther) solved.step.fix = { files, ...(isOther ? { command: by.command } : {}) }
  }

  #add(step: CourseStep): void {
    this.#steps.push(step)
    if (this.#steps.length <= 2 * MAX_STEPS + MAX_MILESTONES) return
    const older = findMilestones(this.#steps.slice(0, -MAX_STEPS))
    this.#steps = [...older.slice(-MAX_MILESTONES), ...this.#steps.slice(-MAX_STEPS)]
  }
}

interface FailedStep {
  step: CommandStep
  command: string
  /** The line that its step has, as a whole; empty without one. */
  error: string
  /** Whether only its output shows that it has failed. */
  isShown: boolean
  /** The name of its check. */
  name: string
  /** How many tests it has left out. */
  skipped: number
  /** How many changes of files there were before. */
  changes: number
}
