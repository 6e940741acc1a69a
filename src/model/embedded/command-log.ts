import { findErrors } from '../../extract/commands.ts'
import type { Outcome } from '../../extract/outcome.ts'
import { filesOf, outcomeOf, outputOf, type ToolRun } from '../../extract/runs.ts'
import { oneLine, shorten } from '../../text/shorten.ts'
import type { CommandFact, FixFact } from './facts.ts'

/** Records the commands, their last outcomes, the errors that are still current, and those that were fixed. */
export class CommandLog {
  /** By the command without filters. */
  readonly #commands = new Map<string, CommandFact>()
  /** Error lines by their source, oldest first: a command that succeeds later removes its own. */
  readonly #errors = new Map<string, string[]>()
  /** The last error of each command that has failed, and the number of changes until then. */
  readonly #failed = new Map<string, { error: string; changes: number }>()
  #fixes: FixFact[] = []
  #changes: string[] = []

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
      const line = commandLine(command)
      this.#note(line, { outcome, output })
      this.#setErrors(plainCommand(line), { outcome, output })
      return
    }
    const { modifiedFiles, readFiles } = filesOf(run)
    const [path] = [...modifiedFiles, ...readFiles]
    const id = result?.role === 'toolResult' ? result.toolCallId : ''
    if (path === undefined) this.#setErrors(id, { outcome, output })
    else {
      const source = `${call?.name ?? ''} ${path}`
      // An edit that failed quotes code: only its first line says why.
      const [reason = ''] = outcome.kind === 'failed' ? findErrors(output.trim().split('\n', 1)[0] ?? '', 1) : []
      const names = modifiedFiles.length > 0 || !reason.includes(path)
      this.#setErrors(source, { outcome, output: names ? `${source}: ${reason}` : reason })
    }
  }

  /** Records the failure of the model call itself. */
  stop(errorMessage: string): void {
    this.#setErrors('', { outcome: { kind: 'failed' }, output: oneLine(errorMessage) })
  }

  commands(): CommandFact[] {
    return [...this.#commands.values()]
  }

  errors(): string[] {
    return [...new Set([...this.#errors.values()].flat())].slice(-MAX_ERRORS)
  }

  fixes(): FixFact[] {
    return this.#fixes
  }

  /** Records each command once, in the order in which it last ended. */
  #note(command: string, { outcome, output }: Ended): void {
    const result = findResult(output)
    const key = plainCommand(command)
    const earlier = this.#commands.get(key)
    const earlierResult = earlier?.result === result ? earlier?.earlierResult : earlier?.result
    this.#commands.delete(key)
    this.#commands.set(key, {
      command,
      outcome,
      ...(result === undefined ? {} : { result }),
      ...(earlierResult === undefined ? {} : { earlierResult }),
    })
    const before = this.#failed.get(key)
    const [error] = outcome.kind === 'failed' ? findErrors(output, 1) : []
    if (error !== undefined) this.#failed.set(key, { error, changes: this.#changes.length })
    else if (outcome.kind === 'succeeded' && before !== undefined) {
      const changedFiles = [...new Set(this.#changes.slice(before.changes))].slice(-MAX_FIX_FILES)
      this.#fixes = [...this.#fixes, { command, error: before.error, changedFiles }].slice(-MAX_FIXES)
      this.#failed.delete(key)
    }
  }

  #setErrors(source: string, { outcome, output }: Ended): void {
    // An error counts until its source is known to succeed.
    if (outcome.kind === 'unknown') return
    const lines = outcome.kind === 'failed' ? findErrors(output, LINES_OF_AN_ERROR) : []
    this.#errors.delete(source)
    if (lines.length > 0) this.#errors.set(source, lines)
  }
}

interface Ended {
  outcome: Outcome
  output: string
}

const MAX_COMMAND_CHARACTERS = 200

/** The maximum number of lines of one failed output, and of all outputs. */
const LINES_OF_AN_ERROR = 3
const MAX_ERRORS = 8

const MAX_FIXES = 12
const MAX_FIX_FILES = 4

const commandLine = (command: string): string => shorten(oneLine(command), MAX_COMMAND_CHARACTERS)

/** What only shows another part of the same output. */
const FILTER = / (?:2>&1|\| ?(?:tail|head)(?: -n)?(?: ?-?\d{1,6})?)(?= |$)/g

/** Returns what a command is known by: without filters of its output. */
const plainCommand = (command: string): string => command.replace(FILTER, '')

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
