import { createRandom, type Random } from './create-random.ts'
import { FAILING_COMMANDS, PASSING_COMMANDS } from './failing-commands.ts'
import { makePaths } from './file-names.ts'
import { chain, type SessionEntry, type SessionMessage } from './session-entry.ts'
import type { SessionLanguage } from './session-language.ts'
import { writeCode, writeLog } from './write-text.ts'

/** A session, and the lasting demands of its user. */
export interface GeneratedSession {
  entries: SessionEntry[]
  constraints: readonly string[]
}

interface Size {
  /** The approximate number of characters over all entries; four make a token by the service's estimate. */
  characters: number
  seed: number
}

/**
 * The agent's steps in each turn. The entries of a turn are its request, these steps with their results, and a last
 * answer.
 */
const STEPS = ['read', 'read', 'edit', 'bash', 'read', 'edit', 'bash'] as const

const MODIFIED_FILES = 40
const READ_FILES = 60
const PASTE_CHARACTERS = 3000

/** The size of a step's text relative to the others; edits and their results are short. */
const WEIGHTS = { read: 1.5, bash: 1, edit: 0.4 } as const

/** Every third edit writes a whole file. */
const isWrite = (number: number): boolean => number % 3 === 0

/**
 * Generates a session of 25 turns and 400 entries: requests with planted constraints and pasted logs, files that are
 * read, 40 changed files, and 15 commands that fail, of which every second one passes later. The same seed gives the
 * same session.
 */
export function generateSession(language: SessionLanguage, { characters, seed }: Size): GeneratedSession {
  const weight = STEPS.reduce((sum, step) => sum + WEIGHTS[step], 0)
  const writer = new Writer(language, { characters: characters / language.requests.length / weight, seed })
  language.requests.forEach((request, turn) => {
    writer.turn(request, turn)
  })
  return { entries: chain(writer.entries), constraints: language.constraints }
}

class Writer {
  readonly entries: Omit<SessionEntry, 'parentId'>[] = []
  readonly #random: Random
  /** Sizes have a separate random source, so that they are the same in every language. */
  readonly #sizes: Random
  readonly #language: SessionLanguage
  /** The characters of a step of weight 1. */
  readonly #perStep: number
  readonly #modified: string[]
  readonly #read: string[]
  #edits = 0
  #runs = 0
  #path = ''

  constructor(language: SessionLanguage, { characters, seed }: Size) {
    this.#random = createRandom(seed)
    this.#sizes = createRandom(seed + 1)
    this.#language = language
    this.#perStep = characters
    this.#modified = makePaths(this.#random, MODIFIED_FILES)
    this.#read = makePaths(this.#random, READ_FILES)
  }

  /**
   * Every second request contains a constraint, until all have been used; in every sixth, the user pastes a log after
   * it.
   */
  turn(request: string, turn: number): void {
    const constraint = turn % 2 === 0 ? this.#language.constraints[turn / 2] : undefined
    const paste = turn % 6 === 4 ? writeLog(this.#random, PASTE_CHARACTERS) : undefined
    this.#add({ role: 'user', content: [request, constraint, paste].filter(Boolean).join('\n\n') })
    for (const step of STEPS) this.#step(step)
    const text = this.#random.pick(this.#language.results).replace('{path}', this.#path)
    this.#add({ role: 'assistant', content: [{ type: 'text', text }], stopReason: 'stop' })
  }

  #step(step: (typeof STEPS)[number]): void {
    const characters = Math.round(this.#perStep * WEIGHTS[step] * (0.5 + this.#sizes.next()))
    if (step === 'read') this.#readFile(characters)
    else if (step === 'edit') this.#changeFile(characters)
    else this.#run(characters)
  }

  #readFile(characters: number): void {
    this.#path = this.#random.pick(this.#read)
    this.#call('read', { path: this.#path }, { text: writeCode(this.#random, characters, this.#language.comments) })
  }

  #changeFile(characters: number): void {
    const path = this.#modified[this.#edits++ % this.#modified.length] ?? ''
    this.#path = path
    const code = (share: number): string =>
      writeCode(this.#random, Math.round(characters * share), this.#language.comments)
    if (isWrite(this.#edits)) this.#call('write', { path, content: code(1) }, { text: `Wrote ${path}` })
    else this.#call('edit', { path, oldText: code(0.4), newText: code(0.6) }, { text: `Replaced text in ${path}` })
  }

  /** Two of five runs fail; the fifth run after a failed one repeats its command, which then passes. */
  #run(characters: number): void {
    const number = this.#runs++
    const failing = FAILING_COMMANDS[Math.floor(number / 5) * 2 + (number % 5)]
    const output = writeLog(this.#random, characters)
    if (number % 5 < 2 && failing !== undefined) {
      const text = `${output}\n${failing.error}\n\n\nCommand exited with code ${failing.exitCode}`
      this.#call('bash', { command: failing.command }, { text, isError: true })
    } else this.#call('bash', { command: this.#passing(number) }, { text: output })
  }

  #passing(number: number): string {
    const mended = number % 5 === 4 ? FAILING_COMMANDS[Math.floor(number / 5) * 2] : undefined
    return mended?.command ?? this.#random.pick(PASSING_COMMANDS)
  }

  #call(name: string, args: Record<string, unknown>, result: { text: string; isError?: boolean }): void {
    const id = `call_${this.entries.length}`
    const remark = this.#random.pick(this.#language.remarks).replace('{path}', this.#path)
    const content = [
      { type: 'text', text: remark },
      { type: 'toolCall', id, name, arguments: args },
    ]
    this.#add({ role: 'assistant', content, stopReason: 'toolUse' })
    const { text, isError = false } = result
    this.#add({ role: 'toolResult', toolCallId: id, toolName: name, content: [{ type: 'text', text }], isError })
  }

  #add(message: SessionMessage): void {
    this.entries.push({ type: 'message', id: `g${this.entries.length}`, message })
  }
}
