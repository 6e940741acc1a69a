import { TypeCompiler, type TypeCheck } from '@sinclair/typebox/compiler'
import type { TSchema } from '@sinclair/typebox'
import type { Fault } from '../errors.ts'
import { type RawEntry, EntrySchema } from '../schemas/entry.ts'
import { MAX_FAULTS, findFaults } from '../schemas/find-faults.ts'
import { type RawMessage, MessageSchema } from '../schemas/message.ts'
import { KNOWN_PLACE } from '../session/entry.ts'
import { trimEntry, trimMessage } from './trim-entry.ts'

/**
 * How much of a session is kept: all of it, for routes that hand it back; what could be shown to a model; or of that only
 * what a plan considers, so that what an earlier compaction covers is dropped.
 */
export type Keep = 'whole' | 'shown' | 'considered'

const SCHEMAS: Record<ListName, TSchema> = { entries: EntrySchema, messages: MessageSchema }

const checks = new Map<ListName, TypeCheck<TSchema>>()

/** Reads the elements of one list as they come: each is checked, and kept as far as it is needed. */
export class ListReader {
  readonly #name: ListName
  readonly #keep: Keep
  #values: unknown[] = []
  readonly faults: Fault[] = []
  #count = 0

  constructor(name: ListName, keep: Keep) {
    this.#name = name
    this.#keep = keep
  }

  /** The elements in their order; empty where one has a fault. */
  get values(): unknown[] {
    return this.#values
  }

  get length(): number {
    return this.#values.length
  }

  /** How many elements have come, what is none included: the place of the next one. */
  get count(): number {
    return this.#count
  }

  /** Counts what is no element, so that pointers go on counting lines. */
  skip(): void {
    this.#count += 1
  }

  add(value: unknown): void {
    const index = this.#count++
    if (this.faults.length < MAX_FAULTS) this.faults.push(...checkElement(this.#name, index, value))
    // A body with a fault is refused: nothing of it is needed any more.
    if (this.faults.length > 0) this.#values = []
    else this.#push(this.#keep === 'whole' ? value : this.#slim(value), index)
  }

  #push(value: unknown, index: number): void {
    if (this.#values.length !== index) Object.assign(value as object, { [KNOWN_PLACE]: index })
    this.#values.push(value)
  }

  #slim(value: unknown): unknown {
    return this.#name === 'entries' ? trimEntry(value as RawEntry) : trimMessage(value as RawMessage)
  }
}

/** The lists of a session's forms. */
export type ListName = 'entries' | 'messages'

/**
 * Checks one element of a list as the list's form would.
 * @returns what is wrong with it, each fault by its pointer from the body's root; empty where nothing is
 */
export function checkElement(name: ListName, index: number, value: unknown): Fault[] {
  let check = checks.get(name)
  // Compiled when the first body comes: a service that is only asked whether it lives starts without.
  if (check === undefined) checks.set(name, (check = TypeCompiler.Compile(SCHEMAS[name])))
  if (check.Check(value)) return []
  return findFaults(check.Errors(value)).map(({ pointer, detail }) => ({
    pointer: `/${name}/${index}${pointer}`,
    detail,
  }))
}
