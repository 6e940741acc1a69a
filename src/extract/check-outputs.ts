import { checkOf, isCheckingPart, outputFilesOf } from './checks.ts'
import { isQueryPart, onlyLooks } from './exit-status.ts'
import type { Outcome } from './outcome.ts'
import type { SimpleCommand } from './shell.ts'
import { countsTests, runsTests } from './test-runners.ts'

/** The command of a run. That of a look at the output of a check in a file begins with the command of the check. */
export interface RunCommand {
  command?: string
  /** The command of the check. */
  writer?: string
}

/** What is known of runs. */
interface Known<R> {
  commandsOf: (run: R) => readonly SimpleCommand[]
  outcomeOf: (run: R) => Outcome
  outputOf: (run: R) => string
}

/** The files into which checks have written their outputs, each with the last such run. */
export class CheckOutputs<R extends RunCommand> {
  readonly #writers = new Map<string, R>()
  readonly #known: Known<R>

  constructor(known: Known<R>) {
    this.#known = known
  }

  /** Reads a run. If it only looks at the output of a check, and says how that ended, returns it as a run of the check. */
  read(run: R): R | undefined {
    const { command } = run
    if (command === undefined || (this.#writers.size === 0 && !command.includes('>'))) return undefined
    const commands = this.#known.commandsOf(run)
    const looked = onlyLooks(commands) ? commands.flatMap(({ words }) => words) : []
    const writer = looked.map((word) => this.#writers.get(word)).find((one) => one !== undefined)
    if (writer?.command === undefined) {
      this.#write(run, checkOf(command, commands).parts, commands.flatMap(outputFilesOf))
      return undefined
    }
    const joined = { ...run, ...joinCommands(writer.command, command) }
    return this.#saysOutcome(joined, writer, command) ? joined : undefined
  }

  #write(run: R, parts: readonly string[], files: readonly string[]): void {
    const works = parts.filter((part) => !isQueryPart(part))
    const isCheck = works.length === 1 && works.some((part) => isCheckingPart(part) || runsTests(part))
    for (const file of files)
      if (isCheck) this.#writers.set(file, run)
      else this.#writers.delete(file)
  }

  /**
   * Whether a look says how a check ended that does not say it itself. Where the check may still run, or only some of its lines are shown,
   * these have to count the tests.
   */
  #saysOutcome(look: R, writer: R, command: string): boolean {
    const { commandsOf, outcomeOf, outputOf } = this.#known
    const { kind, isAborted } = outcomeOf(writer)
    const ended = outcomeOf(look).kind
    if (ended !== 'succeeded') return ended === 'failed' && kind !== 'succeeded'
    const output = outputOf(look)
    const isInBackground = commandsOf(writer).some(({ operator }) => operator === '&')
    const isPart = isAborted === true || isInBackground || (SEARCHES.test(command) && output.trim() !== '')
    return kind === 'unknown' && (!isPart || countsTests(output))
  }
}

const SEARCHES = /\b(?:grep|rg|sed|awk|head)\b/

/** Returns the command of a look at the output of a check. */
export const joinCommands = (writer: string, command: string): Required<RunCommand> => ({
  command: `${writer.trimEnd()}${writer.trimEnd().endsWith('&') ? '' : ';'} ${command}`,
  writer,
})
