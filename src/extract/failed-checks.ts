import { mayBeTogether } from '../files/paths.ts'
import { isRetry, withoutFolder, type CheckNames } from './check-names.ts'
import { singleCheck, type Check } from './checks.ts'
import { hasRunTests } from './failed-tests.ts'
import { findErrors, showsError } from './find-errors.ts'
import { PassedParts } from './passed-parts.ts'
import { ReportedErrors } from './reported-errors.ts'
import { CUT_END, isBeginning, isOverAfter, passedBefore, ranIn, worksIn } from './failed-chains.ts'
import { coversTests, isRelated } from './test-runners.ts'

/** After so many changes of files, a failure says little of how things are now. */
export const MANY_EDITS = 10

/** A check that has failed. */
interface Failed<T> {
  value: T
  /** The parts that have not passed since. */
  missing: Set<string>
  /** The lines that said why. */
  errors: readonly string[]
  /** The missing parts that have run again without these lines, where it is not known how that ended, and whether these are all. */
  unseen: Set<string>
  isUnseen: boolean
}

/** Where a part has passed, and how it was written: empty where its output does not show that all its tests ran. */
interface Passed {
  folder: string
  written: string
}

const MAX_ERRORS = 3

/** The checks that have failed and not passed since, oldest failure first, each with a value. */
export class FailedChecks<T> {
  readonly #names: CheckNames
  readonly #failed = new Map<string, Failed<T>>()
  /** The failed checks that a part belongs to. */
  readonly #byPart = new Map<string, Set<string>>()
  /** The failed parts, with their folders: as many as are compared with one that has passed. */
  readonly #compared = new Map<string, string>()
  /** The failed checks whose end an earlier summary has cut. */
  readonly #cut = new Set<string>()
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
    const solved = passed.length === 0 ? [] : this.pass({ ...check, parts: passed, proven: passed })
    const [key, folder] = [parts.join('\n'), this.#names.folderOf(check)]
    this.#failed.delete(key)
    for (const cut of this.#cut) if (isBeginning(cut, key)) this.#remove(cut)
    for (const older of this.#failedAgain(parts, output)) if (older !== key) this.#remove(older)
    const missing = new Set(worksIn(check, parts))
    for (const part of this.#names.partsOf({ ...check, parts: passed })) missing.delete(part)
    this.#passed.fail(key, parts.map(withoutFolder))
    this.#failed.set(key, { value, missing, errors, unseen: new Set(), isUnseen: false })
    this.#errors.fail(key, { parts, folder, errors }, output)
    for (const part of parts) {
      this.#byPart.set(part, (this.#byPart.get(part) ?? new Set()).add(key))
      if (this.#compared.size < MAX_COMPARED) this.#compared.set(part, folder)
    }
    if (key.endsWith(CUT_END) && this.#cut.size < MAX_COMPARED) this.#cut.add(key)
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
    const folder = this.#names.folderOf(check)
    const parts = this.#names.partsOf({ ...check, parts: check.proven })
    const written = hasRunTests(output) ? check.proven : []
    const proven = parts.flatMap((part, at) => this.#proveAll(part, { folder, written: written[at] ?? '' }))
    return [...same, ...proven]
  }

  /**
   * Records a run of which it is not known how it ended, but that would have shown errors: a failure that it does not show again may be
   * over.
   * @returns the values of the failed checks that have passed by it, or may have
   */
  rerun(check: Check, output: string): T[] {
    const { passed = [] } = check
    const proven = passed.length === 0 ? [] : this.pass({ ...check, parts: passed, proven: passed }, output)
    const names = this.#names.partsOf(check).flatMap((part) => this.#withScript(part, this.#names.folderOf(check)))
    const unseen = names.flatMap((part) =>
      [...(this.#byPart.get(part) ?? [])].flatMap((key) => {
        const failed = this.#failed.get(key)
        if (failed === undefined || failed.errors.some((line) => showsError(output, line))) return []
        failed.unseen.add(part)
        failed.isUnseen = [...failed.missing].every((one) => failed.unseen.has(one))
        return failed.isUnseen ? [failed.value] : []
      }),
    )
    return [...proven, ...unseen]
  }

  /** Returns the names of the failed checks whose missing part has run again in one that failed: that one says how it is now. */
  #failedAgain(parts: readonly string[], output: string): string[] {
    const ran = ranIn(parts, output) ?? ''
    const keys = [...(this.#byPart.get(ran) ?? [])]
    return keys.filter((key) => [...(this.#failed.get(key)?.missing ?? [])].every((part) => part === ran))
  }

  /** Returns the name of a part with those of the commands of the script that it has run when it failed. */
  #withScript(part: string, folder: string): string[] {
    const ofScript = this.#errors.commandsOf(part).map((command) => ({ ...singleCheck(command), folder }))
    return [part, ...ofScript.flatMap((one) => this.#names.partsOf(one))]
  }

  /** Returns the value of a failed check; undefined if it has not failed, or has passed since. */
  get(check: Check): T | undefined {
    return this.#failed.get(this.#names.nameOf(check))?.value
  }

  /** Returns the failures that are left, with the commands that have run some of their tests since, and passed. */
  left(): (Pick<Failed<T>, 'value' | 'isUnseen'> & { passed: readonly string[] })[] {
    return Array.from(this.#failed, ([key, { value, isUnseen }]) => ({ value, isUnseen, passed: this.#passed.of(key) }))
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
    const failed = this.#failed.get(key)
    this.#remove(key)
    return failed === undefined ? [] : [failed.value]
  }

  /** Returns the values of the checks that have passed with a part: no other part of them is missing. */
  #prove(part: string): T[] {
    const whole = [...(this.#byPart.get(part) ?? [])].map((key) => ({ key, name: part }))
    this.#byPart.delete(part)
    this.#compared.delete(part)
    const cut = [...this.#cut].map((key) => ({ key, name: key.slice(key.lastIndexOf('\n') + 1) }))
    return [...whole, ...cut.filter(({ name }) => isBeginning(name, part))].flatMap(({ key, name }) => {
      const failed = this.#failed.get(key)
      failed?.missing.delete(name)
      if (failed === undefined || failed.missing.size > 0) return []
      this.#remove(key)
      return [failed.value]
    })
  }

  /**
   * Returns the values of the failed runs of a part of what has passed now, or of the same, in their folder, as far as it is known. Failed runs
   * of more are left: how the rest of them is is not known.
   */
  #proveCovered(part: string, { folder, written }: Passed): T[] {
    const name = withoutFolder(part)
    const isThere = (own: string): boolean => own === folder || (name === part && (own === '' || folder === ''))
    return [...this.#compared].flatMap(([one, own]) => {
      if (!isThere(own)) return []
      const failed = withoutFolder(one)
      if (coversTests(name, failed) || isRetry(name, failed)) return this.#prove(one)
      const keys = own === folder && isRelated(name, failed) ? (this.#byPart.get(one) ?? []) : []
      for (const key of keys) if (this.#failed.has(key)) this.#passed.pass(key, name, written)
      return []
    })
  }

  /** Returns the values of what git could not stage, or join. */
  #proveByGit(part: string, folder: string): T[] {
    return [...this.#compared].flatMap(([one, own]) =>
      mayBeTogether(own, folder) && isOverAfter(part, one) ? this.#prove(one) : [],
    )
  }

  #remove(key: string): void {
    this.#failed.delete(key)
    this.#cut.delete(key)
    this.#errors.remove(key)
    this.#passed.remove(key)
  }
}

/** As many failed parts are compared with what has passed. */
const MAX_COMPARED = 200
