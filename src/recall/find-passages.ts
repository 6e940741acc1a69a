import type { ToolRun, ToolRuns } from '../extract/runs.ts'
import { readUserAnswers, readUserText } from '../extract/user-text.ts'
import { textOf, type AssistantMessage, type Message } from '../session/message.ts'
import { oneLine, shorten } from '../text/shorten.ts'
import { LEAD_CHARACTERS } from './describe-call.ts'
import { isOwnLookup } from './own-lookups.ts'
import type { PassageFacts, RecalledPassage } from './passage.ts'
import { passagesOfRun } from './passages-of-run.ts'
import { splitPassage } from './split-whole.ts'

/** An entry of a session, without secrets. */
export interface RecalledEntry {
  message?: Message | undefined
  /** What follows it and is in no context. */
  asides?: readonly Message[]
  /** The work of sub-agents that follows it. */
  sideChain?: readonly Message[]
  /** The text of a compaction. */
  summary?: string | undefined
}

/**
 * Returns the passages of a session, in the order of its entries. A call is with its result where the call was made. Only
 * the words of the user are a `request`: text that agents add to a message of the user is an `output`. Look-ups in a session are
 * left out.
 * @param runs those of all messages
 */
export function findPassages(entries: readonly RecalledEntry[], runs: ToolRuns): RecalledPassage[] {
  const places = new Map<Message, number>()
  for (const [place, entry] of entries.entries()) for (const one of messagesOfEntry(entry)) places.set(one, place)
  const reader = new PassageReader(places, runs)
  for (const [place, { asides = [], sideChain = [], ...entry }] of entries.entries()) {
    reader.read(entry, place)
    for (const message of asides) reader.read({ message }, place)
    const start = reader.passages.length
    for (const message of sideChain) reader.read({ message }, place)
    for (const passage of reader.passages.slice(start)) passage.isSideChain = true
  }
  return reader.passages
}

/** Returns the messages of an entry, with those that are in no context. */
export const messagesOfEntry = ({ message, asides = [], sideChain = [] }: RecalledEntry = {}): Message[] => [
  ...(message ? [message] : []),
  ...asides,
  ...sideChain,
]

class PassageReader {
  readonly passages: RecalledPassage[] = []
  readonly #places: ReadonlyMap<Message, number>
  readonly #runs: ToolRuns
  #units = 0
  /** That of the message or summary that is read. */
  #unit = 0

  constructor(places: ReadonlyMap<Message, number>, runs: ToolRuns) {
    this.#places = places
    this.#runs = runs
  }

  read({ message, summary }: RecalledEntry, place: number): void {
    this.#unit = this.#takeUnit()
    if (message === undefined) {
      if (summary !== undefined) this.#add({ places: [place], kinds: ['summary'], lead: '' }, summary)
      return
    }
    switch (message.role) {
      case 'user':
        this.#readUser(message, place)
        break
      case 'assistant':
        this.#readAnswer(message, place)
        break
      case 'branchSummary':
      case 'compactionSummary':
        this.#add({ places: [place], kinds: ['summary'], lead: '' }, message.summary)
        break
      case 'toolResult':
      case 'bashExecution':
        this.#readResult(message, place)
        break
      default:
        this.#add({ places: [place], kinds: ['output'], lead: '' }, textOf(message.content))
    }
  }

  #readUser(message: Message & { role: 'user' }, place: number): void {
    const words = readUserText(message)
    if (words === undefined) this.#add({ places: [place], kinds: ['output'], lead: '' }, textOf(message.content))
    else this.#add({ places: [place], kinds: ['request'], lead: '' }, words)
  }

  #readAnswer(message: AssistantMessage, place: number): void {
    for (const block of message.content) {
      if (block.type === 'text') this.#add({ places: [place], kinds: ['answer'], lead: '' }, block.text)
      else if (block.type === 'thinking') this.#add({ places: [place], kinds: ['thinking'], lead: '' }, block.thinking)
      else if (block.type === 'toolCall') this.#readRun(this.#runs.get(block) ?? { call: block }, place)
    }
    const { errorMessage } = message
    if (errorMessage !== undefined) this.#add({ places: [place], kinds: ['failure'], lead: '' }, errorMessage)
  }

  #readResult(message: Message & { role: 'toolResult' | 'bashExecution' }, place: number): void {
    const run = this.#runs.get(message) ?? {}
    for (const { question, answer } of readUserAnswers(message, run.call)) {
      const lead = question === '' ? '' : `Question of the agent: ${shorten(oneLine(question), LEAD_CHARACTERS)}`
      this.#add({ places: [place], unit: this.#takeUnit(), kinds: ['request'], lead }, answer)
    }
    // A result is with its call.
    if (run.call === undefined) this.#readRun({ ...run, result: message }, place)
  }

  #readRun(run: ToolRun, place: number): void {
    if (isOwnLookup(run)) return
    const resultPlace = run.result === undefined ? undefined : this.#places.get(run.result)
    const places = resultPlace === undefined || resultPlace === place ? [place] : [place, resultPlace]
    this.passages.push(...passagesOfRun(run, { places, unit: this.#takeUnit() }))
  }

  #add(facts: Omit<PassageFacts, 'unit'> & { unit?: number }, whole: string): void {
    this.passages.push(...splitPassage({ unit: this.#unit, ...facts }, whole))
  }

  #takeUnit(): number {
    this.#units += 1
    return this.#units
  }
}
