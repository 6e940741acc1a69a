import type { TSchema } from '@sinclair/typebox'
import { TypeCompiler, type TypeCheck } from '@sinclair/typebox/compiler'
import type { Fault } from '../errors.ts'
import { EntrySchema, type RawEntry } from '../schemas/entry.ts'
import { findFaults, MAX_FAULTS } from '../schemas/find-faults.ts'
import { MessageSchema, type RawMessage } from '../schemas/message.ts'
import { KNOWN_PLACE } from '../session/entry.ts'
import { trimEntry, trimMessage } from './trim-entry.ts'

/** The lists in the forms of a session. */
export type ListName = 'entries' | 'messages'

/**
 * How much of a session is kept: `whole`, for routes that return it; `shown`, the parts that a model could be shown; or
 * `considered`, the parts of `shown` that a plan reads, without the messages that an earlier compaction covers.
 */
export type Keep = 'whole' | 'shown' | 'considered'

/** Reads the elements of one list while they are received: each is checked, and the parts that are needed are kept. */
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

  /** The elements in their order; empty if one of them has a fault. */
  get values(): unknown[] {
    return this.#values
  }

  /** The number of elements that are kept. */
  get length(): number {
    return this.#values.length
  }

  /** The index of the next element: the number of elements so far, skipped ones included. */
  get count(): number {
    return this.#count
  }

  /** Skips one index, so that the pointers of an NDJSON body are line numbers. */
  skip(): void {
    this.#count += 1
  }

  /** Checks the next element and keeps what is needed of it. */
  add(value: unknown): void {
    const index = this.#count++
    if (this.faults.length < MAX_FAULTS) this.faults.push(...checkElement(this.#name, index, value))
    // A body with a fault is rejected, so none of its elements is needed any more.
    if (this.faults.length > 0) this.#values = []
    else this.#push(this.#keep === 'whole' ? value : this.#trim(value), index)
  }

  #push(value: unknown, index: number): void {
    if (this.#values.length !== index) Object.assign(value as object, { [KNOWN_PLACE]: index })
    this.#values.push(value)
  }

  #trim(value: unknown): unknown {
    return this.#name === 'entries' ? trimEntry(value as RawEntry) : trimMessage(value as RawMessage)
  }
}

const SCHEMAS: Record<ListName, TSchema> = { entries: EntrySchema, messages: MessageSchema }

const checks = new Map<ListName, TypeCheck<TSchema>>()

/** Returns the faults of one element, each with its pointer from the body's root; empty if the element is valid. */
function checkElement(name: ListName, index: number, value: unknown): Fault[] {
  let check = checks.get(name)
  // Compiled for the first body, not at the start, so that the service answers health checks sooner.
  if (check === undefined) checks.set(name, (check = TypeCompiler.Compile(SCHEMAS[name])))
  if (check.Check(value)) return []
  return findFaults(check.Errors(value)).map(({ pointer, detail }) => ({
    pointer: `/${name}/${index}${pointer}`,
    detail,
  }))
}
