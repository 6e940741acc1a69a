import { findConstraints, findDecisions, findIntentions, findNextSteps } from '../../extract/statements.ts'
import { beginning, REQUEST_CHARACTERS, shorten } from '../../text/shorten.ts'
import { normalizePath, readFileOperations } from '../../files/collect-files.ts'
import { textOf, toolCallsOf, type AssistantMessage, type Message } from '../../session/message.ts'
import { CommandLog, TurnLog } from './logs.ts'
import type { SessionFacts } from './facts.ts'

/** Extracts the facts that an agent needs from a conversation, in one pass. */
export function extractFacts(messages: readonly Message[]): SessionFacts {
  const extractor = new Extractor()
  for (const message of messages) extractor.read(message)
  return extractor.facts()
}

class Extractor {
  readonly #turns = new TurnLog()
  readonly #commands = new CommandLog()
  readonly #constraints = new Set<string>()
  readonly #decisions = new Set<string>()
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
        this.#commands.result(message)
        break
      case 'bashExecution':
        this.#commands.execution(message)
        break
      case 'branchSummary':
      case 'compactionSummary':
        this.#turns.note(message.summary)
        break
      default:
        this.#turns.note(textOf(message.content))
    }
  }

  facts(): SessionFacts {
    return {
      ...(this.#firstRequest === undefined ? {} : { firstRequest: this.#firstRequest }),
      ...(this.#newestRequest === undefined ? {} : { newestRequest: this.#newestRequest }),
      ...(this.#openQuestion === undefined ? {} : { openQuestion: this.#openQuestion }),
      constraints: [...this.#constraints],
      turns: this.#turns.list(),
      commands: this.#commands.commands(),
      errors: this.#commands.errors(),
      decisions: [...this.#decisions],
      nextSteps: [...new Set([...this.#nextSteps, ...this.#intentions])].map(shortenSentence),
    }
  }

  #readRequest(text: string): void {
    if (text.trim() === '') return
    this.#firstRequest ??= beginning(text, REQUEST_CHARACTERS)
    this.#newestRequest = beginning(text, REQUEST_CHARACTERS)
    this.#openQuestion = undefined
    for (const sentence of findConstraints(text)) renew(this.#constraints, shortenSentence(sentence))
    this.#turns.begin(text)
  }

  #readAnswer(message: AssistantMessage): void {
    const calls = toolCallsOf(message)
    for (const call of calls) {
      this.#commands.call(call)
      for (const path of readFileOperations(call).modifiedFiles) this.#turns.change(normalizePath(path))
    }
    if (message.stopReason === 'error' && message.errorMessage !== undefined) this.#commands.stop(message.errorMessage)
    const text = textOf(message.content)
    if (text.trim() !== '') this.#readWords(text, calls.length === 0)
  }

  #readWords(text: string, isFinished: boolean): void {
    this.#turns.say(text, isFinished)
    for (const sentence of findDecisions(text)) renew(this.#decisions, shortenSentence(sentence))
    const steps = findNextSteps(text)
    if (steps.length > 0) this.#nextSteps = steps
    this.#intentions = findIntentions(text)
    this.#openQuestion = QUESTION_AT_END.test(text.trimEnd())
      ? beginning(lastParagraph(text), REQUEST_CHARACTERS)
      : undefined
  }
}

const MAX_SENTENCE_CHARACTERS = 300

const shortenSentence = (sentence: string): string => shorten(sentence, MAX_SENTENCE_CHARACTERS)

/** Moves a repeated text to the end: the newest texts come last. */
function renew(texts: Set<string>, text: string): void {
  texts.delete(text)
  texts.add(text)
}

const QUESTION_AT_END = /[?？]["')\]*_]*$/

/** Returns the last paragraph of a text: a question with its context. */
function lastParagraph(text: string): string {
  const trimmed = text.trim()
  return trimmed.slice(Math.max(0, trimmed.lastIndexOf('\n\n')))
}
