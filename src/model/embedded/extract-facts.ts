import { readFileOperations } from '../../plan/read-file-operations.ts'
import { normalizePath } from '../../plan/normalize-path.ts'
import {
  textOf,
  toolCallsOf,
  type AssistantMessage,
  type BashExecutionMessage,
  type Message,
  type ToolResultMessage,
} from '../../session/message.ts'
import type { Facts } from './facts.ts'
import { findConstraints } from '../../extract/find-constraints.ts'
import { findDecisions } from '../../extract/find-decisions.ts'
import { findErrors } from '../../extract/find-errors.ts'
import { findIntentions, findNextSteps } from '../../extract/find-next-steps.ts'
import type { Pace } from './pace.ts'
import { readCommand, readFailure } from '../../extract/read-command.ts'
import { beginning, oneLine, REQUEST_CHARACTERS, shorten } from '../../extract/shorten.ts'
import { TurnLog } from './turn-log.ts'

const MAX_SENTENCE_CHARACTERS = 300

/** Lines of one failed output, and outputs, that are looked at for errors. */
const LINES_OF_AN_ERROR = 3
const MAX_ERRORS = 8
const MAX_COMMAND_CHARACTERS = 200

/** Extracts what an agent needs of a conversation, in one pass. @param pace gives others a turn, and ends with the signal */
export async function extractFacts(messages: readonly Message[], pace: Pace): Promise<Facts> {
  const extractor = new Extractor()
  for (const message of messages) {
    extractor.read(message)
    await pace()
  }
  return extractor.facts()
}

class Extractor {
  readonly #turns = new TurnLog()
  readonly #constraints = new Set<string>()
  readonly #decisions = new Set<string>()
  readonly #commands = new Map<string, string | undefined>()
  readonly #calls = new Map<string, string>()
  /** Error lines by what brought them, oldest first: a command that succeeds later takes its own away. */
  readonly #errors = new Map<string, string[]>()
  #nextSteps: string[] = []
  #intentions: string[] = []
  #firstRequest: string | undefined
  #newestRequest: string | undefined
  #openQuestion: string | undefined

  read(message: Message): void {
    switch (message.role) {
      case 'user':
        this.#readRequest(textOf(message.content))
        break
      case 'assistant':
        this.#readAnswer(message)
        break
      case 'toolResult':
        this.#readResult(message)
        break
      case 'bashExecution':
        this.#readExecution(message)
        break
      case 'branchSummary':
      case 'compactionSummary':
        this.#turns.note(message.summary)
        break
      default:
        this.#turns.note(textOf(message.content))
    }
  }

  facts(): Facts {
    const texts = {
      firstRequest: this.#firstRequest,
      newestRequest: this.#newestRequest,
      openQuestion: this.#openQuestion,
    }
    return {
      ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)),
      constraints: [...this.#constraints],
      turns: this.#turns.list(),
      commands: [...this.#commands].map(([command, failure]) => ({
        command,
        ...(failure === undefined ? {} : { failure }),
      })),
      errors: distinct([...this.#errors.values()].flat()).slice(-MAX_ERRORS),
      decisions: [...this.#decisions],
      nextSteps: distinct([...this.#nextSteps, ...this.#intentions]).map((step) =>
        shorten(step, MAX_SENTENCE_CHARACTERS),
      ),
    }
  }

  #readRequest(text: string): void {
    if (text.trim() === '') return
    this.#firstRequest ??= beginning(text, REQUEST_CHARACTERS)
    this.#newestRequest = beginning(text, REQUEST_CHARACTERS)
    this.#openQuestion = undefined
    for (const sentence of findConstraints(text)) renew(this.#constraints, shorten(sentence, MAX_SENTENCE_CHARACTERS))
    this.#turns.begin(text)
  }

  #readAnswer(message: AssistantMessage): void {
    const text = textOf(message.content)
    for (const call of toolCallsOf(message)) {
      const command = readCommand(call)
      if (command !== undefined) this.#calls.set(call.id, shorten(oneLine(command), MAX_COMMAND_CHARACTERS))
      for (const path of readFileOperations(call).modifiedFiles) this.#turns.change(normalizePath(path))
    }
    if (message.stopReason === 'error' && message.errorMessage !== undefined)
      this.#setErrors('', [oneLine(message.errorMessage)])
    if (text.trim() === '') return
    this.#turns.say(text, toolCallsOf(message).length === 0)
    for (const sentence of findDecisions(text)) renew(this.#decisions, shorten(sentence, MAX_SENTENCE_CHARACTERS))
    const steps = findNextSteps(text)
    if (steps.length > 0) this.#nextSteps = steps
    this.#intentions = findIntentions(text)
    this.#openQuestion = /[?？]["')\]*_]*\s*$/.test(text)
      ? beginning(lastParagraph(text), REQUEST_CHARACTERS)
      : undefined
  }

  #readResult(message: ToolResultMessage): void {
    const command = this.#calls.get(message.toolCallId)
    const output = textOf(message.content)
    const failure = readFailure(message, command === undefined ? '' : output)
    if (command !== undefined) this.#addCommand(command, failure)
    const source = command ?? message.toolCallId
    this.#setErrors(source, failure === undefined ? [] : findErrors(output, LINES_OF_AN_ERROR))
  }

  #readExecution({ command, output, exitCode = 0 }: BashExecutionMessage): void {
    const failure = exitCode === 0 ? undefined : `exit code ${exitCode}`
    const line = shorten(oneLine(command), MAX_COMMAND_CHARACTERS)
    this.#addCommand(line, failure)
    this.#setErrors(line, failure === undefined ? [] : findErrors(output, LINES_OF_AN_ERROR))
  }

  #addCommand(command: string, failure: string | undefined): void {
    this.#commands.delete(command)
    this.#commands.set(command, failure)
  }

  #setErrors(source: string, lines: string[]): void {
    this.#errors.delete(source)
    if (lines.length > 0) this.#errors.set(source, lines)
  }
}

const distinct = (texts: string[]): string[] => [...new Set(texts)]

/** Moves a text that came again to the end: the newest stand last. */
function renew(texts: Set<string>, text: string): void {
  texts.delete(text)
  texts.add(text)
}

/** A question with what it is about. */
function lastParagraph(text: string): string {
  const trimmed = text.trim()
  return trimmed.slice(Math.max(0, trimmed.lastIndexOf('\n\n')))
}
