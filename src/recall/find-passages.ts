import { commandFilesOf, filesOf, outcomeOf, outputOf, type ToolRun, type ToolRuns } from '../extract/runs.ts'
import { readUserAnswers } from '../extract/user-answers.ts'
import { readUserText } from '../extract/user-text.ts'
import { readPatchPaths } from '../files/paths.ts'
import { textOf, type AssistantMessage, type Message } from '../session/message.ts'
import { defined } from '../text/defined.ts'
import { oneLine, shorten } from '../text/shorten.ts'
import { fileOf, kindsOf, LEAD_CHARACTERS, nameCall, sameCallOf, writeCall } from './describe-call.ts'
import { argumentsOf, findChanges } from './edit-changes.ts'
import { isOwnLookup } from './own-lookups.ts'
import type { RecalledPassage } from './passage.ts'
import { splitEdit, withoutChanges, type EditPart } from './split-edit.ts'
import { splitWhole } from './split-whole.ts'

/** An entry of a session, without secrets. */
export interface RecalledEntry {
  message?: Message | undefined
  /** What follows it and is in no context. */
  asides?: readonly Message[]
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
  for (const [place, { message, asides = [] }] of entries.entries())
    for (const one of message === undefined ? asides : [message, ...asides]) places.set(one, place)
  const reader = new PassageReader(places, runs)
  for (const [place, { asides = [], ...entry }] of entries.entries()) {
    reader.read(entry, place)
    for (const message of asides) reader.read({ message }, place)
  }
  return reader.passages
}

class PassageReader {
  readonly passages: RecalledPassage[] = []
  readonly #places: ReadonlyMap<Message, number>
  readonly #runs: ToolRuns

  constructor(places: ReadonlyMap<Message, number>, runs: ToolRuns) {
    this.#places = places
    this.#runs = runs
  }

  read({ message, summary }: RecalledEntry, place: number): void {
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
      this.#add({ places: [place], kinds: ['request'], lead }, answer)
    }
    // A result is with its call.
    if (run.call === undefined) this.#readRun({ ...run, result: message }, place)
  }

  #readRun(run: ToolRun, place: number): void {
    if (isOwnLookup(run)) return
    const { call, command, result } = run
    const resultPlace = result === undefined ? undefined : this.#places.get(result)
    const { readFiles, modifiedFiles } = filesOf(run)
    const ofCommand = command === undefined ? undefined : commandFilesOf(run)
    const called = writeCall(run)
    const facts = {
      ...defined({ call: sameCallOf(run, called) }),
      places: resultPlace === undefined || resultPlace === place ? [place] : [place, resultPlace],
      tool: result?.role === 'bashExecution' ? 'bash (run by the user)' : (call?.name ?? result?.toolName),
      paths: [...modifiedFiles, ...readFiles, ...(ofCommand?.modified ?? []), ...(ofCommand?.read ?? [])],
    }
    const output = outputOf(run)
    const kinds = kindsOf(run)
    const changes = call === undefined || command !== undefined ? [] : findChanges(called, argumentsOf(call))
    const isLongEdit = changes.length > 0 && called.length > WHOLE_EDIT_CHARACTERS
    // The changes of a long edit are passages of their own.
    const written = isLongEdit ? withoutChanges(called, changes) : called
    const own = { ...facts, lead: '', ...(!isLongEdit && { changes }) }
    const isWhole = written.length + output.length <= WHOLE_CALL_CHARACTERS || output.length <= SHORT_OUTPUT_CHARACTERS
    if (isWhole) {
      const whole = [written, output].filter(Boolean).join('\n\n')
      this.#addCall({ ...own, kinds: output === '' ? kinds : [...kinds, 'output'] }, whole, run)
    } else this.#addCall({ ...own, kinds }, written, run)
    if (isLongEdit)
      this.#addChanges({ ...facts, kinds, lead: nameCall(run, called, fileOf(run)) }, splitEdit(called, changes))
    if (isWhole) return
    // Each part says which call it belongs to.
    const hasFailed = outcomeOf(run).kind === 'failed'
    this.#add(
      {
        ...facts,
        kinds: hasFailed ? ['failure', 'output'] : ['output'],
        lead: shorten(oneLine(called), LEAD_CHARACTERS),
      },
      output,
    )
  }

  #addCall({ changes = [], ...facts }: Facts, whole: string, run: ToolRun): void {
    if (changes.length > 0) {
      this.passages.push({ ...facts, changes, text: whole, before: 0, after: 0 })
      return
    }
    const first = this.passages.length
    this.#add(facts, whole)
    // An output without its call belongs to none.
    if (run.call === undefined && run.command === undefined) return
    // Each part says which call it belongs to, and which file of a patch.
    const parts = this.passages.slice(first)
    let file = fileOf(run)
    for (const [at, part] of parts.entries()) {
      if (at > 0) part.lead = nameCall(run, whole, file)
      file = readPatchPaths(part.text).at(-1) ?? file
    }
  }

  #addChanges(facts: Facts, parts: readonly EditPart[]): void {
    const { lead: call } = facts
    for (const { name, ...part } of parts)
      this.passages.push({ ...facts, ...part, lead: name === '' ? call : `${call}, ${name}` })
  }

  #add(facts: Facts, whole: string): void {
    for (const { text, start } of splitWhole(whole))
      this.passages.push({ ...facts, text, before: start, after: whole.length - start - text.length })
  }
}

type Facts = Omit<RecalledPassage, 'text' | 'before' | 'after'>

/** A call up to this length with its output is one passage. */
const WHOLE_CALL_CHARACTERS = 1600

/** An edit up to this length is one passage: without the new text, nobody sees what became of the old one. */
const WHOLE_EDIT_CHARACTERS = 3000

/** An output up to this length, such as that an edit was done, says nothing without its call. */
const SHORT_OUTPUT_CHARACTERS = 200
