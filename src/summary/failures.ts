import { CheckNames, checkName } from '../extract/check-names.ts'
import { readCheck, singleCheck, type Check } from '../extract/checks.ts'
import { onlyLooks } from '../extract/exit-status.ts'
import { FailedChecks } from '../extract/failed-checks.ts'
import { findCause, findErrors } from '../extract/find-errors.ts'
import { failedTestsIn } from '../extract/failed-tests.ts'
import { isProgramMissing } from '../extract/missing-program.ts'
import { PassedParts } from '../extract/passed-parts.ts'
import { checkedBy, failedCommand, failedOutput, failedTestsOf, withReason } from '../extract/checked-by.ts'
import {
  commandFilesOf,
  filesOf,
  outcomeOf,
  outputOf,
  showsFailure,
  simpleCommandsOf,
  type EndedRun,
} from '../extract/runs.ts'
import { splitCommand } from '../extract/shell.ts'
import { seenCheck, shownCheck } from '../extract/shown-checks.ts'
import { PATH_ARGUMENTS } from '../files/paths.ts'
import { isPatchTool, isReadTool, isWriteTool, WRITE_TOOLS } from '../files/tools.ts'
import { readUserText } from '../extract/user-text.ts'
import { firstText } from '../session/entry.ts'
import type { Message } from '../session/message.ts'
import { oneLine } from '../text/shorten.ts'
import { readNews, writeNews } from './failure-news.ts'
import { SaidOf } from './said-of.ts'
import { namesOfTests } from './same-error.ts'

/** A failed command, or a failed call of another tool. */
export interface FailureFact {
  /** The command on one line, or the tool's name and its path. */
  what: string
  /**
   * `exit code 1`, or `error` where no exit status is known; where it may be over, with `, 12 edits since`, with the runs of some of its
   * tests that have passed since, and with what the user said of it.
   */
  status: string
  /** Which tests have failed, and the last line of the output that gives a reason; empty where no line does. */
  error: string
  /** True where the same command or call succeeded later. */
  hasPassed: boolean
}

/** Records the failures that are still current, and those that passed later. */
export class FailureLog {
  readonly #current: FailedChecks<FailureFact>
  /** By the name of the check. */
  readonly #passed = new Map<string, FailureFact>()

  /** The newest command whose program is not installed, if nothing has gone on after it: an agent goes on in another way. */
  #missing: FailureFact | undefined

  /** The failed commands of which only the output shows it. */
  readonly #shown = new Set<string>()

  /** How often files were changed, and that number when each failure was noted. */
  #changes = 0
  readonly #changesAt = new Map<FailureFact, number>()

  /** What the user said of each failure. */
  readonly #said = new SaidOf<FailureFact>()

  constructor(earlier: readonly FailureFact[], runs: readonly EndedRun[]) {
    const known = earlier.map((fact) => ({ fact, check: readCheck(fact.what) }))
    const names = new CheckNames([...known.map(({ check }) => check), ...runs.flatMap(checksOf)])
    const passed = new PassedParts()
    this.#current = new FailedChecks(names, passed)
    for (const { fact, check } of known)
      if (fact.hasPassed) this.#passed.set(checkName(check), fact)
      else if (isProgramMissing(splitCommand(fact.what), fact.error)) this.#missing = fact
      else this.#current.fail(check, this.#resume(fact))
    for (const { fact, check } of known) passed.resume(names.nameOf(check), readNews(fact.status).passed)
  }

  /** Returns a failure of an earlier summary as it was when it failed. */
  #resume(fact: FailureFact): FailureFact {
    const { what, error } = fact
    const { status, edits, said } = readNews(fact.status)
    const failed = { ...fact, status }
    this.#changesAt.set(failed, -edits)
    this.#said.add(failed, { what, text: error, tests: namesOfTests(error) }, said)
    return failed
  }

  /** Records what the user says. */
  hear(message: Message): void {
    this.#said.hear(readUserText(message) ?? '')
  }

  /** Returns the failures that passed later, and then those that are current, oldest first. */
  list(): FailureFact[] {
    const current = this.#current.left().map(({ value: fact, ...since }) => {
      const edits = this.#changes - (this.#changesAt.get(fact) ?? 0)
      // It may be over.
      return { ...fact, status: fact.status + writeNews({ edits, ...since, ...this.#said.of(fact) }) }
    })
    return [...this.#passed.values(), ...current, ...(this.#missing === undefined ? [] : [this.#missing])]
  }

  note(run: EndedRun): void {
    const { kind, status = 'error', isMissing } = outcomeOf(run)
    const path = pathOf(run)
    if (kind !== 'unknown') this.#see(run)
    if (goesOn(run)) this.#missing = undefined
    if (isMissing === true) {
      this.#missing = { what: oneLine(run.command ?? ''), status, error: findCause(outputOf(run)), hasPassed: false }
    } else if (kind === 'failed') {
      if (!isFailure(run)) return
      const what = oneLine(
        run.command === undefined ? [run.call?.name, path].filter(Boolean).join(' ') : failedCommand(run),
      )
      const [check] = run.command === undefined ? [singleCheck(what)] : checksOf(run)
      if (check === undefined || what === '') return
      this.#passed.delete(checkName(check))
      if (showsFailure(run)) this.#shown.add(what)
      else this.#shown.delete(what)
      // A tool that has failed with a file quotes what it was given: only its first line says why.
      const whole = failedOutput(run)
      const output = path === undefined ? whole : (whole.trim().split('\n', 1)[0] ?? '')
      const fact = { what, status, error: withReason(failedTestsOf(run), findCause(output)), hasPassed: false }
      this.#changesAt.set(fact, this.#changes)
      const tests = failedTestsIn(output)
      const text = [...tests, ...findErrors(output, MAX_ERRORS)].join('\n')
      this.#said.add(fact, { what, text, tests })
      this.#over(this.#current.fail(check, fact, output))
    } else if (path !== undefined) this.#changed(run, path)
    else if (kind === 'succeeded' || this.#showsNoFailure(run)) this.#pass(run)
    else {
      this.#current.rerun(shownCheck(run), outputOf(run), oneLine(run.command ?? ''))
      this.#see(run)
    }
  }

  #see(run: EndedRun): void {
    const check = seenCheck(run)
    if (check !== undefined) this.#current.see(check, outputOf(run))
  }

  /** Whether a command whose output has shown a failure now shows none. */
  #showsNoFailure(run: EndedRun): boolean {
    const failed = checksOf(run).flatMap((check) => this.#current.get(check) ?? [])
    return failed.some(({ what }) => this.#shown.has(what) && what === oneLine(run.command ?? ''))
  }

  #pass(run: EndedRun): void {
    const checks = run.command === undefined ? [singleCheck(run.call?.name ?? '')] : checksOf(run)
    this.#over(checks.flatMap((check) => this.#current.pass(check, outputOf(run))))
    for (const path of run.command === undefined ? [] : commandFilesOf(run).modified) this.#written(path)
  }

  #over(facts: readonly FailureFact[]): void {
    for (const fact of facts) this.#passed.set(checkName(readCheck(fact.what)), { ...fact, hasPassed: true })
  }

  #changed(run: EndedRun, path: string): void {
    const { name = '', arguments: values } = run.call ?? {}
    if (isWriteTool(name, values) || isPatchTool(name)) this.#written(path)
  }

  /** Whichever tool wrote the file at last: the change was made. */
  #written(path: string): void {
    this.#changes += 1
    this.#current.change(path)
    for (const name of WRITE_TOOLS) this.#current.pass(singleCheck(`${name} ${path}`))
  }
}

const MAX_ERRORS = 8

const checksOf = (run: EndedRun): Check[] => (run.command === undefined ? [] : [checkedBy(run)])

/** Whether a run has worked, and was no look. */
function goesOn(run: EndedRun): boolean {
  const { call, command } = run
  if (outcomeOf(run).kind === 'failed') return false
  if (command !== undefined) return !onlyLooks(simpleCommandsOf(run))
  return call !== undefined && !isReadTool(call.name, call.arguments)
}

/** Whether a run that failed is a failure of the work: not a look, and not a refusal of the user. */
function isFailure(run: EndedRun): boolean {
  const { call, command, result } = run
  if (outcomeOf(run).isRefused === true) return false
  if (result.role === 'toolResult' && (result.userAnswers ?? []).length > 0) return false
  if (command !== undefined) return !onlyLooks(simpleCommandsOf(run))
  return call !== undefined && !isReadTool(call.name, call.arguments)
}

/** Returns the file of a call of a file tool. */
export const pathOf = (run: EndedRun): string | undefined =>
  run.call === undefined || run.command !== undefined
    ? undefined
    : (firstText(run.call.arguments, PATH_ARGUMENTS) ?? filesOf(run).modifiedFiles[0])
