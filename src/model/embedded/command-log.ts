import { findErrors } from '../../extract/find-errors.ts'
import { readCommand, readFailure } from '../../extract/read-command.ts'
import { oneLine, shorten } from '../../extract/shorten.ts'
import { textOf, type BashExecutionMessage, type ToolCallBlock, type ToolResultMessage } from '../../session/message.ts'
import type { CommandFact } from './facts.ts'

const MAX_COMMAND_CHARACTERS = 200

/** Lines of one failed output, and lines in all, that are kept. */
const LINES_OF_AN_ERROR = 3
const MAX_ERRORS = 8

/** Writes down which commands were run, how each ended last, and the errors that still stand. */
export class CommandLog {
  readonly #called = new Map<string, string>()
  readonly #failures = new Map<string, string | undefined>()
  /** Error lines by what brought them, oldest first: a command that succeeds later takes its own away. */
  readonly #errors = new Map<string, string[]>()

  call(call: ToolCallBlock): void {
    const command = readCommand(call)
    if (command !== undefined) this.#called.set(call.id, writeCommand(command))
  }

  /** A failed result of any tool brings its errors; only a shell's output tells an exit status. */
  result(message: ToolResultMessage): void {
    const command = this.#called.get(message.toolCallId)
    const output = textOf(message.content)
    const failure = readFailure(message, command === undefined ? '' : output)
    if (command !== undefined) this.#note(command, failure)
    this.#setErrors(command ?? message.toolCallId, failure === undefined ? '' : output)
  }

  execution({ command, output, exitCode = 0 }: BashExecutionMessage): void {
    const line = writeCommand(command)
    this.#note(line, exitCode === 0 ? undefined : `exit code ${exitCode}`)
    this.#setErrors(line, exitCode === 0 ? '' : output)
  }

  /** The model call itself failed. */
  stop(errorMessage: string): void {
    this.#setErrors('', oneLine(errorMessage))
  }

  commands(): CommandFact[] {
    return [...this.#failures].map(([command, failure]) => ({ command, ...(failure === undefined ? {} : { failure }) }))
  }

  errors(): string[] {
    return [...new Set([...this.#errors.values()].flat())].slice(-MAX_ERRORS)
  }

  /** Each command once, in the order in which it ended last. */
  #note(command: string, failure: string | undefined): void {
    this.#failures.delete(command)
    this.#failures.set(command, failure)
  }

  #setErrors(source: string, output: string): void {
    const lines = output === '' ? [] : findErrors(output, LINES_OF_AN_ERROR)
    this.#errors.delete(source)
    if (lines.length > 0) this.#errors.set(source, lines)
  }
}

const writeCommand = (command: string): string => shorten(oneLine(command), MAX_COMMAND_CHARACTERS)
