import type { TurnFact, CommandFact } from './facts.ts'
import { oneLine, shorten } from '../../text/shorten.ts'
import { findErrors, readCommand, readExitStatus } from '../../extract/commands.ts'
import { textOf, type BashExecutionMessage, type ToolCallBlock, type ToolResultMessage } from '../../session/message.ts'

/** Writes down turn by turn what was asked, what came of it, and which files it changed. */
export class TurnLog {
  readonly #turns: OpenTurn[] = []

  begin(request: string): void {
    this.#turns.push({ request, said: [], files: new Set(), isFinished: false })
  }

  /** Something in the conversation that is neither a request nor an answer: a note, an earlier summary. */
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

  /** A span may begin in the middle of a turn. */
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

/** What an agent says of a turn at its end is the most of it; of a longer text its first paragraph. */
const firstParagraph = (text: string): string => text.trim().split(/\n\s*\n/, 1)[0] ?? ''

/** Writes down which commands were run, how each ended last, and the errors that still stand. */
export class CommandLog {
  readonly #called = new Map<string, string>()
  readonly #failures = new Map<string, string | undefined>()
  /** Error lines by what brought them, oldest first: a command that succeeds later takes its own away. */
  readonly #errors = new Map<string, string[]>()

  call(call: ToolCallBlock): void {
    const command = readCommand(call)
    if (command !== undefined) this.#called.set(call.id, commandLine(command))
  }

  /** A failed result of any tool brings its errors; only a shell's output has an exit status. */
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

const MAX_COMMAND_CHARACTERS = 200

/** Lines of one failed output, and lines in all, that are kept. */
const LINES_OF_AN_ERROR = 3
const MAX_ERRORS = 8

const commandLine = (command: string): string => shorten(oneLine(command), MAX_COMMAND_CHARACTERS)
