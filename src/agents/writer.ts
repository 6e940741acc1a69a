import type { FileLists } from '../session/entry.ts'
import { sha256, toUuid } from '../session/hash-id.ts'
import type { Message } from '../session/message.ts'
import { fitTurn, type ContentSupport } from './shared/fit-turn.ts'
import { withoutImageData } from './shared/messages.ts'
import {
  joinTurns,
  type AssistantPart,
  type AssistantTurn,
  type Call,
  type Result,
  type WrittenTurn,
} from './shared/turns.ts'

/** A session to write: a summary, and the messages after it. */
export interface NewSession {
  summary: string
  /** Whole messages, with the data of their images. */
  kept: readonly Message[]
  facts: NewSessionFacts
}

/** Facts about a new session. There are no hidden inputs: the same facts and content give the same bytes. */
export interface NewSessionFacts {
  /** The time of its first message. */
  nowMs: number
  /** Two sessions with the same content and time have different ids if their seeds differ. */
  seed: string
  /** The folder of the project; `/` if it is not known. */
  cwd?: string
  /** The name of the agent that the session comes from. */
  agent: string
  tokensBefore: number
  files: FileLists
}

/** Writes new sessions of one agent or API. */
export interface SessionWriter {
  contentType: string
  supports: ContentSupport
  write: (draft: NewSessionDraft) => string
}

/** A session that is being written: its turns, and what all writers need. */
export class NewSessionDraft {
  readonly summary: string
  readonly facts: NewSessionFacts
  readonly turns: readonly WrittenTurn[]
  /** How much was left out, by the name of the content. */
  readonly notCarried: Record<string, number> = {}
  readonly #base: string
  #ids = 0
  #ticks = 0

  constructor({ summary, kept, facts }: NewSession, supports: ContentSupport) {
    this.facts = facts
    this.summary = summary
    // Ids depend on what is written, and no message has its folder there.
    const texts = kept.map((message) => ({ ...withoutImageData(message), cwd: undefined }))
    this.#base = sha256(JSON.stringify([facts.seed, facts.nowMs, summary, texts]))
    const turns = joinTurns(kept, { newId: () => this.newId(), lose: this.#lose })
    this.turns = turns.flatMap((turn) => fitTurn(turn, supports, this.#lose))
  }

  /** Returns a new id: 32 hexadecimal digits. */
  newId(): string {
    this.#ids += 1
    return sha256(`${this.#base}:${this.#ids}`).slice(0, 32)
  }

  newUuid(): string {
    return toUuid(this.newId())
  }

  /** Returns the next point in time, in milliseconds: two messages of a session must not have the same time. */
  nextMs(): number {
    this.#ticks += 1
    return this.facts.nowMs + this.#ticks - 1
  }

  /** Returns the next point in time, as text. */
  nextTime(): string {
    return new Date(this.nextMs()).toISOString()
  }

  /** The folder of the project. */
  get cwd(): string {
    return this.facts.cwd ?? '/'
  }

  readonly #lose = (name: string): void => {
    this.notCarried[name] = (this.notCarried[name] ?? 0) + 1
  }
}

/** Returns the model of an answer. */
export const modelOf = ({ model = 'unknown' }: Pick<AssistantTurn, 'model'>): string => model

/** The result that an API gets for a call that has none: each call needs one. */
const INTERRUPTED: Result = {
  parts: [{ type: 'text', text: 'No result: the call was interrupted.' }],
  isError: true,
  isPruned: false,
}

/** Returns the result of a call, or what stands for a missing one. */
export const resultOf = ({ result = INTERRUPTED }: Call): Result => result

/** Returns the texts of parts, joined by line breaks. */
export const joinTexts = (parts: readonly { type: string; text?: string }[]): string =>
  parts.flatMap(({ text }) => text ?? []).join('\n')

/** Returns what the model thought in an answer. */
export const thinkingOf = (parts: readonly AssistantPart[]): string[] =>
  parts.flatMap((part) => (part.type === 'thinking' ? part.thinking : []))

/** Returns values as lines of JSON. */
export const toLines = (values: readonly object[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('')
