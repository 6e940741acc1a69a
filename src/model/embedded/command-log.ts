import { checkName, CheckNames, type Check } from '../../extract/checks.ts'
import { isEnvelopeLine } from '../../extract/error-lines.ts'
import { findErrors } from '../../extract/find-errors.ts'
import { onlyLooks } from '../../extract/exit-status.ts'
import { FailedChecks } from '../../extract/failed-checks.ts'
import type { Outcome } from '../../extract/outcome.ts'
import {
  checkedBy,
  filesOf,
  outcomeOf,
  outputOf,
  showsFailure,
  simpleCommandsOf,
  type ToolRun,
} from '../../extract/runs.ts'
import { defined } from '../../text/defined.ts'
import { oneLine, shorten } from '../../text/shorten.ts'
import type { CommandFact, FixFact } from './facts.ts'

/** Records the commands, their last outcomes, the errors that are still current, and those that were fixed. */
export class CommandLog {
  /** By the name of the check, in the order in which they last ended. */
  readonly #commands = new Map<string, CommandFact>()
  readonly #failed: FailedChecks<Failure>
  #fixes: FixFact[] = []
  #changes: string[] = []

  /** @param runs all runs of the conversation, which say how commands differ */
  constructor(runs: Iterable<ToolRun>) {
    this.#failed = new FailedChecks(new CheckNames(checksOf(runs)))
  }

  /** Records that a file was changed. */
  change(path: string | undefined): void {
    if (path !== undefined) this.#changes.push(path)
  }

  /** Records how a run ended. A failed result of any tool has errors; only a shell's output has an exit status. */
  end(run: ToolRun): void {
    const { call, command, result } = run
    const outcome = outcomeOf(run)
    const output = outputOf(run)
    if (command !== undefined) {
      // What was looked at is not known any more.
      if (!onlyLooks(simpleCommandsOf(run))) this.#endCommand(run, commandLine(command))
      return
    }
    const { modifiedFiles, readFiles } = filesOf(run)
    const [path] = [...modifiedFiles, ...readFiles]
    const id = result?.role === 'toolResult' ? result.toolCallId : ''
    if (path === undefined) {
      this.#note(sourceCheck(id), { outcome, output })
      return
    }
    const source = `${call?.name ?? ''} ${path}`
    // An edit that failed quotes code: only its first line says why.
    const [reason = ''] = outcome.kind === 'failed' ? findErrors(output.trim().split('\n', 1)[0] ?? '', 1) : []
    const names = modifiedFiles.length > 0 || !reason.includes(path)
    this.#note(sourceCheck(source), { outcome, output: names ? `${source}: ${reason}` : reason })
  }

  /** Records the failure of the model call itself. */
  stop(errorMessage: string): void {
    this.#note(sourceCheck(''), { outcome: { kind: 'failed' }, output: oneLine(errorMessage) })
  }

  commands(): CommandFact[] {
    return [...this.#commands.values()]
  }

  errors(): string[] {
    const lines = this.#failed.values().flatMap((failure) => failure.lines)
    return [...new Set(lines)].slice(-MAX_ERRORS)
  }

  fixes(): FixFact[] {
    return this.#fixes
  }

  /** Records each command once. An unknown outcome changes nothing that is known. */
  #endCommand(run: ToolRun, command: string): void {
    const outcome = outcomeOf(run)
    const output = outputOf(run)
    const check = checkedBy(run)
    const key = checkName(check)
    const result = findResult(output) ?? (outcome.kind === 'unknown' ? lastLine(output) : undefined)
    const earlier = this.#commands.get(key)
    const fixed = this.#note(check, { outcome, output, command, isShown: showsFailure(run) })
    for (const failure of fixed) this.#fix(command, failure)
    if (outcome.kind === 'unknown' && result === undefined && earlier !== undefined) return
    const earlierResult = earlier?.result === result ? earlier?.earlierResult : earlier?.result
    this.#commands.delete(key)
    this.#commands.set(key, { command, outcome, ...defined({ result, earlierResult }) })
  }

  #fix(command: string, { key, lines, changes }: Failure): void {
    const error = lines.at(-1)
    // A check that has passed as a part of a longer command has not failed any more.
    if (key !== undefined) this.#commands.delete(key)
    if (error === undefined || key === undefined) return
    const changedFiles = [...new Set(this.#changes.slice(changes))].slice(-MAX_FIX_FILES)
    this.#fixes = [...this.#fixes, { command, error, changedFiles }].slice(-MAX_FIXES)
  }

  /** Records an outcome. An error counts until its source is known to succeed. @returns the failures that have passed by it */
  #note(check: Check, { outcome, output, command, isShown }: Ended): Failure[] {
    const failed = outcome.kind === 'unknown' ? this.#failed.get(check) : undefined
    // A command whose output has shown its failure shows none now.
    const passes = outcome.kind === 'succeeded' || (failed?.isShown === true && failed.command === command)
    if (outcome.kind === 'unknown' && !passes) return []
    if (passes) return this.#failed.pass(check)
    const lines = findErrors(output, LINES_OF_AN_ERROR)
    const key = command === undefined ? {} : { key: checkName(check), command }
    this.#failed.fail(check, { ...key, isShown: isShown === true, lines, changes: this.#changes.length })
    return []
  }
}

/** A check that has failed. */
interface Failure {
  /** The name of the command; left out for other tools. */
  key?: string
  command?: string
  /** Whether only its output shows that it has failed. */
  isShown: boolean
  /** The lines that say why. */
  lines: string[]
  /** The number of changes until then. */
  changes: number
}

function* checksOf(runs: Iterable<ToolRun>): Generator<Check> {
  for (const run of runs) if (run.command !== undefined) yield checkedBy(run)
}

const sourceCheck = (source: string): Check => ({ parts: [source], folder: '', provesParts: true })

interface Ended {
  outcome: Outcome
  output: string
  command?: string
  isShown?: boolean
}

const MAX_COMMAND_CHARACTERS = 200

/** The maximum number of lines of one failed output, and of all outputs. */
const LINES_OF_AN_ERROR = 3
const MAX_ERRORS = 8

const MAX_FIXES = 12
const MAX_FIX_FILES = 4

const commandLine = (command: string): string => shorten(oneLine(command), MAX_COMMAND_CHARACTERS)

/** A number beside a word of a result: `410 tests, 0 failures`, `Tests: 3 passed`, `errors: 0`. */
const RESULT =
  /\d (?:[a-z]{1,12} ){0,2}(?:pass(?:ed|es|ing)?|fail(?:ed|ing|ures?)?|tests?|errors?|warnings?|issues|problems?)\b|\b(?:pass(?:ed)?|fail(?:ed|ures)?|tests|errors|warnings):? {0,3}\d/i
const RESULT_CHARACTERS = 3000
const MAX_RESULT_CHARACTERS = 160

/** Returns the last line near the end of an output that reports a result in numbers. */
function findResult(output: string): string | undefined {
  const lines = output.slice(-RESULT_CHARACTERS).split('\n')
  const line = lines.findLast((one) => one.length < MAX_RESULT_CHARACTERS && RESULT.test(one))
  return line === undefined ? undefined : oneLine(line)
}

/** Returns the last line of an output, if it is short: where nothing else is known, it says how the command went. */
function lastLine(output: string): string | undefined {
  const line = output.slice(-RESULT_CHARACTERS).trimEnd().split('\n').at(-1)?.trim() ?? ''
  return line === '' || line.length >= MAX_RESULT_CHARACTERS || isEnvelopeLine(line) ? undefined : oneLine(line)
}
