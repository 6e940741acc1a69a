import type { Fault } from '../errors.ts'
import type { RawEntry } from '../schemas/entry.ts'
import { MAX_FAULTS } from '../schemas/find-faults.ts'
import type { RawMessage } from '../schemas/message.ts'
import { KNOWN_PLACE } from '../session/known-place.ts'
import { checkElement, type ListName } from './check-element.ts'
import { slimEntry } from './slim-entry.ts'
import { slimMessage } from './slim-message.ts'

/**
 * How much of a session is kept: all of it, for routes that hand it back; what could be shown to a model; or of that only
 * what a plan considers, so that what an earlier compaction covers is dropped.
 */
export type Keep = 'whole' | 'shown' | 'considered'

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
    return this.#name === 'entries' ? slimEntry(value as RawEntry) : slimMessage(value as RawMessage)
  }
}
