import { findResult, lastLine } from '../../extract/command-results.ts'
import { checkName } from '../../extract/check-names.ts'
import { isCheck, COMMIT_CHECK, singleCheck, type Check } from '../../extract/checks.ts'
import { findErrors } from '../../extract/find-errors.ts'
import { onlyLooks } from '../../extract/exit-status.ts'
import { FailedChecks, MANY_EDITS } from '../../extract/failed-checks.ts'
import { hasNotRun, type Outcome } from '../../extract/outcome.ts'
import { checkedBy, checkNamesOf, failedCommand, failedOutput } from '../../extract/checked-by.ts'
import {
  commandFilesOf,
  filesOf,
  hasCommitted,
  outcomeOf,
  outputOf,
  showsFailure,
  simpleCommandsOf,
  type ToolRun,
} from '../../extract/runs.ts'
import { shownCheck } from '../../extract/shown-checks.ts'
import { normalizePath } from '../../files/paths.ts'
import { defined } from '../../text/defined.ts'
import { oneLine, shorten } from '../../text/shorten.ts'
import type { CommandFact } from './facts.ts'

/** Records the commands, their last outcomes, the errors that are still current, and those that were fixed. */
export class CommandLog {
  /** By the name of the check, in the order in which they last ended, with the number of changes until then. */
  readonly #commands = new Map<string, { fact: CommandFact; changes: number }>()
  readonly #failed: FailedChecks<Failure>
  #changes: string[] = []
  /** The number of requests until now. */
  #asked = 0

  /** @param runs all runs of the conversation, which say how commands differ */
  constructor(runs: Iterable<ToolRun>) {
    this.#failed = new FailedChecks(checkNamesOf(runs))
  }

  /** Records that a file was changed. */
  change(path: string | undefined): void {
    if (path === undefined) return
    this.#changes.push(path)
    this.#failed.change(path)
  }

  /** Records how a run ended. A failed result of any tool has errors; only a shell's output has an exit status. */
  end(run: ToolRun): void {
    const { call, command, result } = run
    const outcome = outcomeOf(run)
    const output = outputOf(run)
    this.#failed.pass(MODEL_CALL)
    if (command !== undefined) {
      // What was looked at is not known any more.
      if (!onlyLooks(simpleCommandsOf(run))) this.#endCommand(run, commandLine(failedCommand(run)))
      return
    }
    const [path] = filesOf(run).modifiedFiles
    if (path === undefined) {
      const id = result?.role === 'toolResult' ? result.toolCallId : ''
      // A look at something that is not there is no failure.
      if (filesOf(run).readFiles.length === 0) this.#note(singleCheck(id), { outcome, output })
      return
    }
    // An edit that failed quotes code: only its first line says why.
    const [reason = ''] = outcome.kind === 'failed' ? findErrors(output.trim().split('\n', 1)[0] ?? '', 1) : []
    // It is over when the file is changed, by whichever tool.
    this.#note(editOf(path), { outcome, output: `${call?.name ?? ''} ${path}: ${reason}`, edited: path })
  }

  /** Records that the user has asked for something. */
  request(): void {
    this.#asked += 1
  }

  /** Records the failure of the model call itself. It is over with the next call of a tool. */
  stop(errorMessage: string): void {
    this.#note(MODEL_CALL, { outcome: { kind: 'failed' }, output: oneLine(errorMessage) })
  }

  /** Returns the commands, without failed ones that another run has replaced. */
  commands(): CommandFact[] {
    const failing = new Set(this.#failed.left().map(({ value: { key } }) => key))
    return [...this.#commands].flatMap(([key, { fact, changes }]) => {
      if (fact.outcome.kind === 'failed' && !failing.has(key)) return []
      const later = isCheck(fact.command) ? this.#changes.length - changes : 0
      return later === 0 ? fact : { ...fact, laterEdits: later }
    })
  }

  /** Returns the errors since the newest request that are still current, or may be. Why a commit was refused stands among the next steps. */
  errors(): string[] {
    const isOfCommit = ({ key = '' }: Failure): boolean => key.split('\n').includes(COMMIT_CHECK)
    // The evidence has what failed before it, with what has happened since.
    const isOld = ({ asked, changes }: Failure): boolean =>
      asked < this.#asked || this.#changes.length - changes >= MANY_EDITS
    const lines = this.#failed
      .left()
      .filter(({ value }) => !isOfCommit(value) && !isOld(value))
      .flatMap(({ value, passed }) =>
        value.lines.map((line) => `Error${passed.length > 0 ? ' (some runs passed since)' : ''}: ${line}`),
      )
    return [...new Set(lines)].slice(-MAX_ERRORS)
  }

  /** Returns how often files were changed. */
  edits(): number {
    return this.#changes.length
  }

  /** Records each command once. An unknown outcome changes nothing that is known. */
  #endCommand(run: ToolRun, command: string): void {
    const outcome = outcomeOf(run)
    if (hasNotRun(outcome)) return
    const output = outcome.kind === 'failed' ? failedOutput(run) : outputOf(run)
    const check = checkedBy(run)
    const key = checkName(check)
    const result = findResult(output) ?? (outcome.kind === 'unknown' ? lastLine(output) : undefined)
    const earlier = this.#commands.get(key)?.fact
    const fixed = this.#note(check, { outcome, output, command, isShown: showsFailure(run) })
    // A check that has passed as a part of a longer command has not failed any more.
    for (const { key: name } of fixed) if (name !== undefined) this.#commands.delete(name)
    for (const { key: name = '' } of outcome.kind === 'unknown' ? this.#failed.rerun(shownCheck(run), output) : [])
      this.#commands.delete(name)
    if (outcome.kind !== 'failed')
      for (const path of commandFilesOf(run).modified) this.#failed.pass(editOf(normalizePath(path) ?? path))
    // With a commit, the edits that it needed are made.
    const failed = hasCommitted(run) ? this.#failed.left() : []
    for (const { value } of failed) if (value.edited !== undefined) this.#failed.pass(editOf(value.edited))
    if (outcome.kind === 'unknown' && result === undefined && earlier !== undefined) return
    const earlierResult = earlier?.result === result ? earlier?.earlierResult : earlier?.result
    this.#commands.delete(key)
    const fact = { command, outcome, ...defined({ result, earlierResult }) }
    this.#commands.set(key, { fact, changes: this.#changes.length })
  }

  /** Records an outcome. An error counts until its source is known to succeed. @returns the failures that have passed by it */
  #note(check: Check, { outcome, output, command, isShown, edited }: Ended): Failure[] {
    const failed = outcome.kind === 'unknown' ? this.#failed.get(check) : undefined
    // A command whose output has shown its failure shows none now.
    const passes = outcome.kind === 'succeeded' || (failed?.isShown === true && failed.command === command)
    if (outcome.kind === 'unknown' && !passes) return []
    if (passes) return this.#failed.pass(check, output)
    const key = command === undefined ? {} : { key: checkName(check), command }
    const lines = findErrors(output, LINES_OF_AN_ERROR)
    const failure = {
      ...key,
      ...defined({ edited }),
      lines,
      isShown: isShown === true,
      changes: this.#changes.length,
      asked: this.#asked,
    }
    return this.#failed.fail(check, failure, output)
  }
}

/** A check that has failed. */
interface Failure extends Pick<Ended, 'command' | 'edited'> {
  /** The name of the command; left out for other tools. */
  key?: string
  /** Whether only its output shows that it has failed. */
  isShown: boolean
  /** The lines that say why. */
  lines: string[]
  /** The number of changes until then, and that of requests. */
  changes: number
  asked: number
}

const MODEL_CALL = singleCheck('')
const editOf = (path: string): Check => singleCheck(`edit ${path}`)

interface Ended {
  outcome: Outcome
  output: string
  command?: string
  isShown?: boolean
  /** The file, where it was an edit. */
  edited?: string
}

const MAX_COMMAND_CHARACTERS = 200

/** The maximum number of lines of one failed output, and of all outputs. */
const LINES_OF_AN_ERROR = 3
const MAX_ERRORS = 8

const commandLine = (command: string): string => shorten(oneLine(command), MAX_COMMAND_CHARACTERS)
