import {
  commandFilesOf,
  filesOf,
  isCommitting,
  outcomeOf,
  outputOf,
  type ToolRun,
  type ToolRuns,
} from '../extract/runs.ts'
import { readUserAnswers } from '../extract/user-answers.ts'
import { readUserText } from '../extract/user-text.ts'
import type { RecallKind } from '../schemas/recall-kinds.ts'
import { textOf, type AssistantMessage, type Message, type ToolCallBlock } from '../session/message.ts'
import { oneLine, shorten } from '../text/shorten.ts'
import { argumentsOf, findChanges } from './edit-changes.ts'
import { isOwnLookup } from './own-lookups.ts'
import type { RecalledPassage } from './passage.ts'
import { splitWhole } from './split-whole.ts'

/** An entry of a session, without secrets. */
export interface RecalledEntry {
  message?: Message | undefined
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
  for (const [place, { message }] of entries.entries()) if (message !== undefined) places.set(message, place)
  const reader = new PassageReader(places, runs)
  for (const [place, entry] of entries.entries()) reader.read(entry, place)
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
    const facts = {
      places: resultPlace === undefined || resultPlace === place ? [place] : [place, resultPlace],
      tool: result?.role === 'bashExecution' ? 'bash (run by the user)' : (call?.name ?? result?.toolName),
      paths: [...modifiedFiles, ...readFiles, ...(ofCommand?.modified ?? []), ...(ofCommand?.read ?? [])],
    }
    const called = writeCall(run)
    const output = outputOf(run)
    const kinds = kindsOf(run)
    const changes = call === undefined || command !== undefined ? [] : findChanges(called, argumentsOf(call))
    if (called.length + output.length <= WHOLE_CALL_CHARACTERS || output.length <= SHORT_OUTPUT_CHARACTERS) {
      const whole = [called, output].filter(Boolean).join('\n\n')
      this.#add({ ...facts, kinds: output === '' ? kinds : [...kinds, 'output'], lead: '', changes }, whole)
      return
    }
    this.#add({ ...facts, kinds, lead: '', changes }, called)
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

  #add({ changes = [], ...facts }: Omit<RecalledPassage, 'text' | 'before' | 'after'>, whole: string): void {
    if (changes.length > 0 && whole.length <= WHOLE_EDIT_CHARACTERS) {
      this.passages.push({ ...facts, changes, text: whole, before: 0, after: 0 })
      return
    }
    for (const { text, start } of splitWhole(whole))
      this.passages.push({ ...facts, text, before: start, after: whole.length - start - text.length })
  }
}

/** A call up to this length with its output is one passage. */
const WHOLE_CALL_CHARACTERS = 1600

/** An edit up to this length is one passage: without the new text, nobody sees what became of the old one. */
const WHOLE_EDIT_CHARACTERS = 3000

/** An output up to this length, such as that an edit was done, says nothing without its call. */
const SHORT_OUTPUT_CHARACTERS = 200

const LEAD_CHARACTERS = 160

/** Returns what a call is besides its output, the most telling first. */
function kindsOf(run: ToolRun): [RecallKind, ...RecallKind[]] {
  const { call, command } = run
  if (call === undefined && command === undefined) return ['output']
  if (outcomeOf(run).kind === 'failed') return ['failure', 'call']
  if (command === undefined) return filesOf(run).modifiedFiles.length > 0 ? ['edit', 'call'] : ['call']
  if (isCommitting(run)) return ['commit', 'call']
  return commandFilesOf(run).modified.length > 0 ? ['edit', 'call'] : ['call']
}

/** Returns a call as a reader wants to see it: the command, or the name of the tool and its arguments. */
function writeCall({ call, command }: ToolRun): string {
  if (command !== undefined) return `$ ${command}`
  if (call === undefined) return ''
  return `${call.name}${writeArguments(call)}`
}

function writeArguments(call: ToolCallBlock): string {
  if (typeof call.arguments === 'string') return `\n${call.arguments}`
  return argumentsOf(call)
    .filter(([name, value]) => !(value === false && SWITCHES.has(name)))
    .map(([name, value]) => `\n${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('')
}

/** Arguments that agents write with each call: off is what they are without it. */
const SWITCHES = new Set(['replace_all', 'replaceAll', 'run_in_background', 'is_background', 'multiline', '-i'])
