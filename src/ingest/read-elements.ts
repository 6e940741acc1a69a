import type { Static, TSchema } from '@sinclair/typebox'
import { TypeCompiler, type TypeCheck } from '@sinclair/typebox/compiler'
import { AGENTS } from '../agents/agents.ts'
import { plainText } from '../agents/apis/anthropic-blocks.ts'
import { readChatAsides } from '../agents/apis/chat-asides.ts'
import { describeMessage } from '../agents/reader.ts'
import { asText } from '../agents/shared/values.ts'
import type { Fault } from '../errors.ts'
import { EntrySchema } from '../schemas/entry.ts'
import { findFaults, MAX_FAULTS } from '../schemas/find-faults.ts'
import type { FormatId } from '../schemas/format.ts'
import { KNOWN_ROLES, MessageSchema, type RawMessage } from '../schemas/message.ts'
import { fieldsOf, type ElementPlace, type Session, type SourceElement, type UnlinkedEntry } from '../session/entry.ts'
import { KeptAnswers } from '../session/kept-answers.ts'
import { linkEntries, linkMessages } from '../session/link-session.ts'
import { isFileLine, readEntry, readMessageEntry } from '../session/read-entry.ts'
import { INSTRUCTION_ROLES } from '../session/read-message.ts'
import { defined } from '../text/defined.ts'
import { countEntry, countMessage, IgnoredParts } from './count-ignored.ts'
import { markSummaries } from './mark-summaries.ts'
import { WorkFolders } from './work-folders.ts'

/** The lists in the forms of a session. */
export type ListName = 'entries' | 'messages'

/** Reads the elements of a session, each once. */
export interface ElementList {
  readonly name: ListName
  /** The parts of the elements that were ignored, and the lines that were skipped. */
  readonly ignored: IgnoredParts
  /** The faults of the elements, each with its pointer from the root of the body. After 20 faults, no more are searched for. */
  readonly faults: readonly Fault[]
  /** The elements of the document in their order, lines of a session file that are not entries included; none if one has a fault. */
  readonly places: readonly SourceElement[]
  /** The elements that the agent still has, in the order in which it reads them. */
  readonly elements: readonly SourceElement[]
  /** The lines that were skipped; the first line is 0. */
  readonly skipped: readonly number[]
  /** The format of a document; undefined for the service's own forms. */
  readonly format?: FormatId | undefined
  /** Skips a line that is not JSON. */
  skip: (line: number) => void
  read: (value: unknown, place: ElementPlace) => void
  /** Receives the other fields of the document, if its format needs them. */
  setFields?: (fields: Readonly<Record<string, unknown>>) => void
  /** Returns the session. To be called once all elements have been read without a fault. @throws Problem `invalid-session` */
  link: () => Session
}

/** Reads the elements of the entries form or the messages form: each is checked and read into an entry. */
export class ElementReader implements ElementList {
  readonly name: ListName
  readonly ignored = new IgnoredParts()
  readonly faults: Fault[] = []
  readonly skipped: number[] = []
  places: SourceElement[] = []
  #entries: UnlinkedEntry[] = []
  readonly #kept = new KeptAnswers()
  readonly #instructions = new Map<number, string>()
  readonly #folders: WorkFolders

  constructor(name: ListName) {
    this.name = name
    this.#folders = new WorkFolders(AGENTS[name === 'entries' ? 'pi' : 'chat'])
  }

  get elements(): readonly SourceElement[] {
    return this.places
  }

  skip(line: number): void {
    this.skipped.push(line)
    this.ignored.addLine(line + 1)
  }

  read(value: unknown, place: ElementPlace): void {
    if (this.faults.length >= MAX_FAULTS) return
    const result = READERS[this.name](value, place, this.ignored)
    if ('faults' in result) this.#addFaults(result.faults, place)
    else if (this.faults.length === 0) {
      if (this.name === 'messages' && result.entry !== undefined) this.#markOldUsage(result.entry, value)
      this.places.push({ ...place, ...describeMessage(fieldsOf(value)) })
      this.#folders.read(value, place.index)
      if (result.entry !== undefined) this.#entries.push(result.entry)
      if (this.name === 'messages') this.#noteInstruction(value, place)
    }
  }

  link(): Session {
    this.#folders.addTo(this.#entries)
    if (this.name === 'entries')
      return { ...linkEntries(this.#entries, this.skipped), ...defined({ cwd: this.#folders.first }) }
    const session = linkMessages(this.#entries)
    markSummaries(session.entries, { places: this.places, instructions: this.#instructions })
    return session
  }

  /** A client may have put a summary into its instructions, which are no entry. */
  #noteInstruction(value: unknown, { index }: ElementPlace): void {
    const { role, content } = fieldsOf(value)
    if (INSTRUCTION_ROLES.has(asText(role))) this.#instructions.set(index, plainText(content))
  }

  /** A list repeats the messages that a compaction has kept. pi names the time of each message. */
  #markOldUsage({ compaction, message }: UnlinkedEntry, value: unknown): void {
    const { timestamp } = fieldsOf(value)
    const isSummary = message?.role === 'compactionSummary' && timestamp !== undefined
    if (compaction !== undefined || isSummary) this.#kept.compact(timestamp)
    else if (message?.role === 'assistant') {
      const { usage } = message
      delete message.usage
      Object.assign(message, this.#kept.describe(usage, timestamp))
    }
  }

  #addFaults(faults: readonly Fault[], { index }: ElementPlace): void {
    for (const { pointer, detail } of faults) this.faults.push({ pointer: `/${this.name}/${index}${pointer}`, detail })
    // A body with a fault is rejected, so none of its elements is needed any more.
    this.#entries = []
    this.places = []
  }
}

/** The faults of an element, or its entry; undefined for a line of a session file that is not an entry. */
type ReadElement = { faults: readonly Fault[] } | { entry: UnlinkedEntry | undefined }

type Read = (value: unknown, place: ElementPlace, ignored: IgnoredParts) => ReadElement

const READERS: Record<ListName, Read> = {
  entries: readerOf(EntrySchema, (raw, place, ignored) => {
    countEntry(raw, ignored)
    return isFileLine(raw) ? undefined : readEntry(raw, place)
  }),
  messages: readerOf(
    MessageSchema,
    (raw, place, ignored) => {
      countMessage(raw, ignored)
      const asides = readChatAsides(raw)
      return { ...readMessageEntry(raw, place), ...(asides.length > 0 && { asides }) }
    },
    findLostMessage,
  ),
}

function readerOf<S extends TSchema>(
  schema: S,
  read: (raw: Static<S>, place: ElementPlace, ignored: IgnoredParts) => UnlinkedEntry | undefined,
  findFault: (raw: Static<S>) => Fault | undefined = () => undefined,
): Read {
  let check: TypeCheck<S> | undefined
  return (value, place, ignored) => {
    // Compiled for the first body, not at the start, so that the service answers health checks sooner.
    check ??= TypeCompiler.Compile(schema)
    if (!check.Check(value)) return { faults: findFaults(check.Errors(value)) }
    const fault = findFault(value)
    return fault === undefined ? { entry: read(value, place, ignored) } : { faults: [fault] }
  }
}

const ROLES_OF_CHATS = [...INSTRUCTION_ROLES, 'user', 'assistant', 'tool']

const ROLES_OF_PI = KNOWN_ROLES.filter((role) => !ROLES_OF_CHATS.includes(role))

/** With the roles of oh-my-pi that contribute no message of their own here. */
const ALL_ROLES = new Set([...ROLES_OF_CHATS, ...ROLES_OF_PI, 'pythonExecution', 'fileMention'])

/**
 * Returns the fault of a message in a list whose role is unknown, so that its text would be lost. Messages without content, and roles
 * whose names begin with `_`, are notes of clients: Kimi CLI writes `_checkpoint` and `_usage` among its messages.
 */
export function findLostMessage(raw: RawMessage): Fault | undefined {
  const { role, content, excludeFromContext } = raw as { role: string; content?: unknown; excludeFromContext?: unknown }
  if (ALL_ROLES.has(role) || role.startsWith('_') || excludeFromContext === true || isEmpty(content)) return undefined
  const detail = `must be one of ${ROLES_OF_CHATS.join(', ')} (in messages of pi also ${ROLES_OF_PI.join(', ')})`
  return { pointer: '/role', detail }
}

const isEmpty = (content: unknown): boolean =>
  Array.isArray(content) ? content.length === 0 : typeof content !== 'string' || content.trim() === ''
