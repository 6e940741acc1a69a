import { checkName, type CheckNames } from './check-names.ts'
import { checkedBy, checkNamesOf, failedOutput, failedTestsOf } from './checked-by.ts'
import { checksOf, readCheck, type Check } from './checks.ts'
import { FailedChecks } from './failed-checks.ts'
import { errorName, findErrors } from './find-errors.ts'
import { hasNotRun, type Outcome } from './outcome.ts'
import { outcomeOf, outputOf, showsFailure, type EndedRun, type ToolRun } from './runs.ts'
import { shownCheck } from './shown-checks.ts'

/** A check, and its runs in order. */
export interface WorkCheck {
  /** The names of its parts, each on a line. */
  key: string
  /** Its parts as they were written last, with their folder if it counts. */
  command: string
  /** Of one that fails, the runs of some of its tests that have passed since. */
  passed?: readonly string[]
  runs: { at: number; hasFailed: boolean; errors: () => readonly string[]; tests: () => string | undefined }[]
}

const MAX_RUNS = 2000
const MAX_ERRORS = 8

/** Follows the runs of checks. */
export class CheckRuns {
  readonly #checks = new Map<string, WorkCheck>()
  readonly #names: CheckNames
  readonly #failed: FailedChecks<string>
  /** Of checks of which only the output has shown that they failed last, the command. */
  readonly #shown = new Map<string, string>()
  /** The runs of those that passed: the messages with their results. */
  readonly passes: { at: number }[] = []

  /** @param runs all runs of the session, which say how commands differ */
  constructor(runs: Iterable<ToolRun>) {
    this.#names = checkNamesOf(runs)
    this.#failed = new FailedChecks(this.#names)
  }

  /** Records that a file was changed. */
  change(path: string): void {
    this.#failed.change(path)
  }

  /** Returns the checks whose last run failed, the one that failed last at the end. */
  failing(): WorkCheck[] {
    const failed = new Map(this.#failed.left().map(({ value, passed }) => [value, passed]))
    const failing = [...this.#checks.values()].flatMap((check) => {
      const passed = failed.get(check.key)
      const isFailing = check.runs.at(-1)?.hasFailed === true && passed !== undefined && !this.#hasPassed(check)
      return isFailing ? [{ ...check, passed }] : []
    })
    return failing.sort((a, b) => (a.runs.at(-1)?.at ?? 0) - (b.runs.at(-1)?.at ?? 0))
  }

  /** Returns the last run of a check after a message, if it passed. */
  passed(command: string, after: number): number | undefined {
    const check = readCheck(command)
    return this.#passed(this.#keyOf(check, checksOf(check)), after)
  }

  /** Records the runs of checks. Of several in one command, only a success is known of each. */
  note(run: EndedRun, { kind, at }: { kind: Outcome['kind']; at: number }): void {
    if (hasNotRun(outcomeOf(run))) return
    const check = checkedBy(run)
    const parts = checksOf(check)
    const whole = this.#keyOf(check, parts)
    if (kind === 'unknown') {
      // A command whose output has shown its failure shows none now.
      if (this.#shown.get(whole) === run.command) this.#failed.pass(check, outputOf(run))
      else this.#failed.rerun(shownCheck(run), outputOf(run))
      return
    }
    const proven = kind === 'succeeded' ? parts.filter((part) => check.proven.includes(part)) : []
    const isNamed = check.folder !== '' && whole !== checkName({ ...check, parts })
    const written = [...(isNamed ? [`cd ${check.folder}`] : []), ...parts].join(' && ')
    const keys = new Map(proven.map((part) => [this.#keyOf(check, [part]), part]))
    if (kind === 'failed' || proven.length === parts.length) keys.set(whole, written)
    if (kind === 'succeeded') this.#failed.pass(check, outputOf(run))
    else this.#failed.fail(check, whole, outputOf(run))
    this.#shown.set(whole, kind === 'failed' && showsFailure(run) ? (run.command ?? '') : '')
    if (proven.length > 0) this.passes.push({ at })
    let found: readonly string[] | undefined
    // Few of them are asked for, and a long session has thousands of failed runs.
    const errors = () => (found ??= kind === 'failed' ? findErrors(failedOutput(run), MAX_ERRORS).map(errorName) : [])
    for (const [key, command] of keys) {
      if (key === '') continue
      const known = { runs: [], ...this.#checks.get(key), key, command }
      if (known.runs.length >= MAX_RUNS) known.runs.shift()
      known.runs.push({ at, hasFailed: kind === 'failed', errors, tests: () => failedTestsOf(run) })
      this.#checks.set(key, known)
    }
  }

  /** Whether all checks of a command have passed after its last run. */
  #hasPassed({ key, runs }: WorkCheck): boolean {
    const parts = key.split('\n')
    return parts.length > 1 && parts.every((part) => this.#passed(part, runs.at(-1)?.at ?? -1) !== undefined)
  }

  #keyOf(check: Check, parts: readonly string[]): string {
    return this.#names.nameOf({ ...check, parts })
  }

  #passed(key: string, after: number): number | undefined {
    const last = this.#checks.get(key)?.runs.at(-1)
    return last !== undefined && !last.hasFailed && last.at > after ? last.at : undefined
  }
}
