import { checkedBy, FROM_END } from '../extract/checked-by.ts'
import { checkOf, type Check } from '../extract/checks.ts'
import { showsError } from '../extract/find-errors.ts'
import { worksIn } from '../extract/failed-chains.ts'
import type { SimpleCommand } from '../extract/shell.ts'
import { isInBackground, outcomeOf, outputOf, simpleCommandsOf, type EndedRun } from '../extract/runs.ts'

/** As many of the newest failures are looked for. */
const MAX_FAILURES = 40

interface Failed<T> {
  failure: T
  check: Check
  /** Its parts but those that only look. */
  works: readonly string[]
  errors: readonly string[]
  isUnseen: boolean
}

/** Whether the output of a command may go elsewhere, or is cut other than at its beginning. */
const mayHideOutput = ({ operator, redirections }: SimpleCommand, at: number, all: readonly SimpleCommand[]): boolean =>
  operator === '&' ||
  redirections.some((one) => one.operator !== '>&') ||
  (operator === '|' && !FROM_END.test(all[at + 1]?.text ?? ''))

/** Whether the checks that failed have run again, and shown the same error: a run may not say how it ended. */
export class SeenAgain<T> {
  #failed: Failed<T>[] = []
  readonly #unclear = new Map<T, string>()

  fail(failure: T, check: Check, errors: readonly string[]): void {
    if (errors.length > 0)
      this.#failed = [...this.#failed, { failure, check, works: worksIn(check), errors, isUnseen: false }].slice(
        -MAX_FAILURES,
      )
  }

  /** Reads a run, but for the parts that have failed in it: a failure of these is one of its own. */
  see(run: EndedRun): void {
    if (run.command === undefined || this.#failed.length === 0 || outcomeOf(run).isAborted === true) return
    const commands = simpleCommandsOf(run)
    const { parts } = checkOf(run.command, commands)
    const { folder, parts: checked } = checkedBy(run)
    const own = outcomeOf(run).kind === 'failed' ? checked : []
    const others = parts.filter((part) => !own.includes(part))
    if (commands.some(mayHideOutput) || isInBackground(run)) return
    for (const failed of this.#failed)
      if (failed.check.folder === folder && failed.works.every((part) => others.includes(part)))
        failed.isUnseen = !failed.errors.some((error) => showsError(outputOf(run), error))
  }

  /** Records a command that has run the checks of failures again, and does not say how that ended. */
  doubt(failures: readonly T[], command: string): void {
    for (const failure of failures) this.#unclear.set(failure, command)
  }

  /** Returns what later runs say of a failure: that they do not show its error, or the one that does not say how it ended. */
  newsOf(failure: T): { isUnseen: boolean; unclear?: string } {
    const isUnseen = this.#failed.some((one) => one.failure === failure && one.isUnseen)
    const unclear = this.#unclear.get(failure)
    return { isUnseen, ...(unclear !== undefined && { unclear }) }
  }
}
