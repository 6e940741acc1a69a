import { mayBeTogether } from '../files/paths.ts'
import { isRetry, withoutFolder, type CheckNames } from './check-names.ts'
import { singleCheck, type Check } from './checks.ts'
import { allFailedTestsIn, failedTestsIn, hasRunTests } from './failed-tests.ts'
import { FailedParts, type LeftCheck } from './failed-parts.ts'
import { findErrors } from './find-errors.ts'
import { PassedParts } from './passed-parts.ts'
import { ReportedErrors } from './reported-errors.ts'
import { CONFLICTED, endsConflict, isOverAfter, passedBefore, ranIn, worksIn } from './failed-chains.ts'
import { readTasks } from './gradle-tasks.ts'
import { coversTests, isRelated } from './test-runners.ts'

/** After so many changes of files, a failure says little of how things are now. */
export const MANY_EDITS = 10

/** Where a part has passed, and how it was written: empty where its output does not show that all its tests ran. */
interface Passed {
  folder: string
  written: string
}

const MAX_ERRORS = 8

/** The checks that have failed and not passed since, oldest failure first, each with a value. */
export class FailedChecks<T> {
  readonly #names: CheckNames
  readonly #parts = new FailedParts<T>()
  readonly #errors = new ReportedErrors()
  readonly #passed: PassedParts

  constructor(names: CheckNames, passed = new PassedParts()) {
    this.#names = names
    this.#passed = passed
  }

  /**
   * @param output what the check has printed
   * @returns the values of the failed checks that have passed by its parts before the one that failed
   */
  fail(check: Check, value: T, output = ''): T[] {
    const parts = this.#names.partsOf(check)
    const errors = findErrors(output, MAX_ERRORS)
    const errorAt = this.#errors.partWith(errors.at(-1) ?? '', parts)
    const passed = [...passedBefore(check, output, errorAt), ...(check.passed ?? [])]
    const solved = [...this.#passParts({ ...check, passed }), ...this.#passTasks(check, output)]
    const [key, folder] = [parts.join('\n'), this.#names.folderOf(check)]
    const { failed: tasks } = readTasks(output)
    this.#parts.failed.delete(key)
    for (const older of [...this.#parts.cutOf(key), ...this.#failedAgain(parts, output)])
      if (older !== key) this.#remove(older)
    const missing = new Set(worksIn(check, parts))
    for (const part of this.#names.partsOf({ ...check, parts: passed })) missing.delete(part)
    this.#passed.fail(key, [...parts.map(withoutFolder), ...tasks])
    this.#errors.fail(key, { parts, folder, errors }, output)
    this.#parts.add(key, parts, { value, missing, errors, tests: failedTestsIn(output), tasks, folder })
    return solved
  }

  /** Records that a file was changed. */
  change(path: string): void {
    this.#errors.change(path)
  }

  /**
   * Records a success.
   * @param output what the check has printed
   * @returns the values of the failed checks that have passed by it
   */
  pass(check: Check, output = ''): T[] {
    const same = this.#solve(this.#names.nameOf(check))
    const [folder, written] = [this.#names.folderOf(check), hasRunTests(output) ? check.proven : []]
    const parts = this.#names.partsOf({ ...check, parts: check.proven })
    const proven = parts.flatMap((part, at) => this.#proveAll(part, { folder, written: written[at] ?? '' }))
    return [...same, ...proven, ...this.#passTasks(check, output)]
  }

  /**
   * Records a run of which it is not known how it ended, but that would have shown errors: a failure that it does not show again may be
   * over.
   * @param command the command of the run
   * @returns the values of the failed checks that have passed by it, or may have
   */
  rerun(check: Check, output: string, command = ''): T[] {
    const proven = this.#passParts(check, output)
    return [...proven, ...this.#passTasks(check, output), ...this.#parts.see(this.#partsIn(check), output, command)]
  }

  /** Records a run whose whole output is there: failures that it does not show again may be over, also those of tests that it has run beside others. */
  see(check: Check, output: string): void {
    const [parts, folder] = [this.#names.partsOf(check).map(withoutFolder), this.#names.folderOf(check)]
    const isRun = ([one, own]: readonly [string, string]): boolean =>
      own === folder && parts.some((part) => coversTests(part, withoutFolder(one)))
    const failing = allFailedTestsIn(output)
    const covered = failing.length > 0 ? [...this.#parts.compared].filter(isRun).map(([one]) => one) : []
    this.#parts.seeTests(covered, failing)
    this.#parts.see(this.#partsIn({ ...check, parts: check.passed ?? [] }), output)
  }

  /** Returns the names of the parts of a check, and of the commands of their scripts. */
  #partsIn(check: Check): string[] {
    return this.#names.partsOf(check).flatMap((part) => this.#withScript(part, this.#names.folderOf(check)))
  }

  /** Records the parts of a check that have passed, whatever has become of it. */
  #passParts({ passed = [], ...check }: Check, output?: string): T[] {
    return passed.length === 0 ? [] : this.pass({ ...check, parts: passed, proven: passed }, output)
  }

  /** Records the tasks of Gradle that have passed in a run, whatever has become of it. @returns the values of the failed checks that have only these */
  #passTasks(check: Check, output: string): T[] {
    const { passed } = readTasks(output)
    if (passed.length === 0) return []
    const folder = this.#names.folderOf(check)
    for (const key of this.#parts.built) {
      const { folder: own, tasks = [] } = this.#parts.failed.get(key) ?? {}
      const isOver = own === folder && tasks.every((task) => passed.includes(task))
      for (const task of isOver ? tasks : []) this.#passed.pass(key, task, task)
    }
    const isOther = check.parts.some((part) => / -[PD]/.test(part))
    return isOther ? [] : this.#proveCovered(`${folder}: gradle ${passed.join(' ')}`, { folder, written: '' })
  }

  /** Returns the names of the failed checks whose missing part has run again in one that failed: that one says how it is now. */
  #failedAgain(parts: readonly string[], output: string): string[] {
    const ran = ranIn(parts, output) ?? ''
    const isMissing = (key: string): boolean =>
      [...(this.#parts.failed.get(key)?.missing ?? [])].every((part) => part === ran)
    return this.#parts.of(ran).filter(isMissing)
  }

  /** Returns the name of a part with those of the commands of the script that it has run when it failed. */
  #withScript(part: string, folder: string): string[] {
    const ofScript = this.#errors.commandsOf(part).map((command) => ({ ...singleCheck(command), folder }))
    return [part, ...ofScript.flatMap((one) => this.#names.partsOf(one))]
  }

  /** Returns the value of a failed check; undefined if it has not failed, or has passed since. */
  get(check: Check): T | undefined {
    return this.#parts.failed.get(this.#names.nameOf(check))?.value
  }

  /** Returns the failures that are left, with the commands that have run some of their tests since, and passed. */
  left(): LeftCheck<T>[] {
    return Array.from(this.#parts.failed, ([key, { value, isUnseen, unclear }]) => {
      const left = { value, isUnseen, passed: this.#passed.of(key) }
      return unclear === undefined ? left : { ...left, unclear }
    })
  }

  #proveAll(part: string, { folder, written }: Passed): T[] {
    const names = this.#withScript(part, folder)
    const solved = this.#errors.solvedBy(part, folder).flatMap((key) => this.#solve(key))
    return [
      ...names.flatMap((name) => this.#prove(name)),
      ...this.#proveCovered(part, { folder, written }),
      ...this.#proveByGit(part, folder),
      ...solved,
    ]
  }

  #solve(key: string): T[] {
    const failed = this.#parts.failed.get(key)
    this.#remove(key)
    return failed === undefined ? [] : [failed.value]
  }

  /** Returns the values of the checks that have passed with a part. */
  #prove(part: string): T[] {
    return this.#parts.pass(part).flatMap((key) => this.#solve(key))
  }

  /**
   * Returns the values of the failed runs of a part of what has passed now, or of the same, in their folder, as far as it is known. Failed runs
   * of more are left: how the rest of them is is not known.
   */
  #proveCovered(part: string, { folder, written }: Passed): T[] {
    const name = withoutFolder(part)
    const isThere = (own: string): boolean => own === folder || (name === part && (own === '' || folder === ''))
    return [...this.#parts.compared].flatMap(([one, own]) => {
      if (!isThere(own)) return []
      const failed = withoutFolder(one)
      if (coversTests(name, failed) || isRetry(name, failed)) return this.#prove(one)
      if (own === folder && isRelated(name, failed))
        for (const key of this.#parts.of(one)) this.#passed.pass(key, name, written)
      return []
    })
  }

  /** Returns the values of what git could not stage, or join. */
  #proveByGit(part: string, folder: string): T[] {
    return [...this.#parts.compared].flatMap(([one, own]) => {
      if (!mayBeTogether(own, folder)) return []
      if (isOverAfter(part, one)) return this.#prove(one)
      for (const key of endsConflict(part, one) ? this.#parts.of(one) : [])
        if (this.#parts.failed.get(key)?.errors.some((line) => CONFLICTED.test(line)) === true)
          this.#passed.pass(key, part, withoutFolder(part))
      return []
    })
  }

  #remove(key: string): void {
    this.#parts.remove(key)
    this.#errors.remove(key)
    this.#passed.remove(key)
  }
}
