import type { TurnFact, CommandFact } from './facts.ts'
import { oneLine, shorten } from '../../text/shorten.ts'
import { findErrors, readCommand, readExitStatus } from '../../extract/commands.ts'
import { textOf, type BashExecutionMessage, type ToolCallBlock, type ToolResultMessage } from '../../session/message.ts'

/** Records the request, the outcome and the changed files of each turn. */
export class TurnLog {
  readonly #turns: OpenTurn[] = []

  begin(request: string): void {
    this.#turns.push({ request, said: [], files: new Set(), isFinished: false })
  }

  /** Records a text that is neither a request nor an answer: a note, or an earlier summary. */
  note(text: string): void {
    if (text.trim() !== '')
      this.#turns.push({
        request: '',
        said: [shorten(oneLine(firstParagraph(text)), OUTCOME_CHARACTERS)],
        files: new Set(),
        isFinished: true,
      })
  }

  say(text: string, isFinished: boolean): void {
    const turn = this.#current()
    turn.said.push(shorten(oneLine(firstParagraph(text)), OUTCOME_CHARACTERS))
    turn.isFinished = isFinished
  }

  change(path: string | undefined): void {
    const turn = this.#current()
    if (path !== undefined) turn.files.add(path)
  }

  list(): TurnFact[] {
    const last = this.#turns.at(-1)
    return this.#turns.map((turn) => ({
      request: shorten(oneLine(turn.request), REQUEST_LINE_CHARACTERS),
      outcome: turn.said.at(-1) ?? '',
      changedFiles: [...turn.files],
      steps: turn.said.slice(0, -1),
      isFinished: turn.isFinished || turn !== last,
    }))
  }

  /** Returns the current turn. A span may begin in the middle of a turn. */
  #current(): OpenTurn {
    if (this.#turns.length === 0) this.begin('')
    return this.#turns.at(-1) as OpenTurn
  }
}

interface OpenTurn {
  request: string
  said: string[]
  files: Set<string>
  isFinished: boolean
}

const REQUEST_LINE_CHARACTERS = 140
const OUTCOME_CHARACTERS = 220

/**
 * Returns the first paragraph: an agent's last text describes the turn, and a longer one begins with the main point.
 */
const firstParagraph = (text: string): string => text.trim().split(/\n\s*\n/, 1)[0] ?? ''

/** Records the commands, their last outcomes, and the errors that are still current. */
export class CommandLog {
  readonly #called = new Map<string, string>()
  readonly #failures = new Map<string, string | undefined>()
  /** Error lines by their source, oldest first: a command that succeeds later removes its own. */
  readonly #errors = new Map<string, string[]>()

  call(call: ToolCallBlock): void {
    const command = readCommand(call)
    if (command !== undefined) this.#called.set(call.id, commandLine(command))
  }

  /** Records a result. A failed result of any tool has errors; only a shell's output has an exit status. */
  result(message: ToolResultMessage): void {
    const command = this.#called.get(message.toolCallId)
    const output = textOf(message.content)
    const failure = readExitStatus(message, command === undefined ? '' : output)
    if (command !== undefined) this.#note(command, failure)
    this.#setErrors(command ?? message.toolCallId, failure === undefined ? '' : output)
  }

  execution({ command, output, exitCode = 0 }: BashExecutionMessage): void {
    const line = commandLine(command)
    this.#note(line, exitCode === 0 ? undefined : `exit code ${exitCode}`)
    this.#setErrors(line, exitCode === 0 ? '' : output)
  }

  /** Records the failure of the model call itself. */
  stop(errorMessage: string): void {
    this.#setErrors('', oneLine(errorMessage))
  }

  commands(): CommandFact[] {
    return [...this.#failures].map(([command, failure]) => ({ command, ...(failure === undefined ? {} : { failure }) }))
  }

  errors(): string[] {
    return [...new Set([...this.#errors.values()].flat())].slice(-MAX_ERRORS)
  }

  /** Records each command once, in the order in which it last ended. */
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

const MAX_COMMAND_CHARACTERS = 200

/** The maximum number of lines of one failed output, and of all outputs. */
const LINES_OF_AN_ERROR = 3
const MAX_ERRORS = 8

const commandLine = (command: string): string => shorten(oneLine(command), MAX_COMMAND_CHARACTERS)
