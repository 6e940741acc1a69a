import { CUT_END, isBeginning } from './failed-chains.ts'
import { showsError } from './find-errors.ts'

/** What is known of a failure that is left. */
export interface LeftCheck<T> {
  value: T
  /** Whether its missing parts have run again without its errors. */
  isUnseen: boolean
  /** Where it is not known how the last of these runs ended, its command. */
  unclear?: string | undefined
  /** The commands that have run some of its tests since, and passed. */
  passed: readonly string[]
}

/** A check that has failed. */
export interface Failed<T> extends Pick<LeftCheck<T>, 'value' | 'isUnseen' | 'unclear'> {
  /** The parts that have not passed since. */
  missing: Set<string>
  /** The lines that said why, and the names of the tests that have failed. */
  errors: readonly string[]
  tests: readonly string[]
  /** The missing parts that have run again without these lines, where it is not known how that ended. */
  unseen: Set<string>
  /** The tasks of Gradle that have failed, and the folder. */
  tasks: readonly string[]
  folder: string
}

/** As many failed parts are compared with what has passed. */
const MAX_COMPARED = 200

/** The checks that have failed and not passed since, oldest failure first, by their names and by their parts. */
export class FailedParts<T> {
  readonly failed = new Map<string, Failed<T>>()
  /** The failed parts, with their folders: as many as are compared with one that has passed. */
  readonly compared = new Map<string, string>()
  /** The failed checks with tasks of Gradle. */
  readonly built = new Set<string>()
  /** The failed checks that a part belongs to. */
  readonly #byPart = new Map<string, Set<string>>()
  /** The failed checks whose end an earlier summary has cut. */
  readonly #cut = new Set<string>()

  add(key: string, parts: readonly string[], failed: Omit<Failed<T>, 'unseen' | 'isUnseen'>): void {
    this.failed.set(key, { ...failed, unseen: new Set(), isUnseen: false })
    if (failed.tasks.length > 0) this.built.add(key)
    for (const part of parts) {
      this.#byPart.set(part, (this.#byPart.get(part) ?? new Set()).add(key))
      if (this.compared.size < MAX_COMPARED) this.compared.set(part, failed.folder)
    }
    if (key.endsWith(CUT_END) && this.#cut.size < MAX_COMPARED) this.#cut.add(key)
  }

  remove(key: string): void {
    this.failed.delete(key)
    this.#cut.delete(key)
    this.built.delete(key)
  }

  /** Returns the names of the failed checks of a part. */
  of(part: string): string[] {
    return [...(this.#byPart.get(part) ?? [])].filter((key) => this.failed.has(key))
  }

  /** Returns the names of those that are the beginning of another one. */
  cutOf(key: string): string[] {
    return [...this.#cut].filter((cut) => isBeginning(cut, key))
  }

  /** Records that a part has passed. @returns the names of the checks that have passed with it: no other part of them is missing */
  pass(part: string): string[] {
    const whole = this.of(part).map((key) => ({ key, name: part }))
    this.#byPart.delete(part)
    this.compared.delete(part)
    const cut = [...this.#cut].map((key) => ({ key, name: key.slice(key.lastIndexOf('\n') + 1) }))
    return [...whole, ...cut.filter(({ name }) => isBeginning(name, part))].flatMap(({ key, name }) => {
      const failed = this.failed.get(key)
      failed?.missing.delete(name)
      return failed?.missing.size === 0 ? [key] : []
    })
  }

  /**
   * Records that parts have run again.
   * @param unclear the command, where it is not known how that ended
   * @returns the values of the failed checks whose missing parts have all run again without their errors
   */
  see(parts: readonly string[], output: string, unclear?: string): T[] {
    return this.#see(parts, unclear, ({ errors }) =>
      errors.length === 0 ? unclear === undefined : errors.some((line) => showsError(output, line)),
    )
  }

  /** Records that the tests of parts have run again, and which have failed then. */
  seeTests(parts: readonly string[], failing: readonly string[]): void {
    this.#see(parts, undefined, ({ tests }) => tests.length === 0 || tests.some((test) => failing.includes(test)))
  }

  #see(parts: readonly string[], unclear: string | undefined, shows: (failed: Failed<T>) => boolean): T[] {
    return parts.flatMap((part) =>
      this.of(part).flatMap((key) => {
        const failed = this.failed.get(key)
        if (failed === undefined) return []
        if (shows(failed)) failed.unseen.delete(part)
        else failed.unseen.add(part)
        failed.isUnseen = [...failed.missing].every((one) => failed.unseen.has(one))
        if (failed.isUnseen) failed.unclear = unclear
        return failed.isUnseen ? [failed.value] : []
      }),
    )
  }
}
