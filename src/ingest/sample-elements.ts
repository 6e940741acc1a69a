import { isObject, type ElementPlace } from '../session/entry.ts'
import type { ElementList } from './read-elements.ts'

/** Returns the reader of a list, to judge by its first values. @throws Problem `unknown-format` */
export type ChooseReader = (sample: readonly unknown[]) => ElementList

/** How much of a document is searched for its format. The first value counts even if it is longer. */
export const MAX_SAMPLE_VALUES = 20
export const MAX_SAMPLE_BYTES = 64 * 1024

/** Returns whether values cannot be entries or messages, right or wrong: none is an object with a `type` or `role` of any kind. */
export const isUnknown = (values: readonly unknown[]): boolean =>
  values.length > 0 &&
  values.every((value) => !isObject(value) || !['type', 'role'].some((name) => Object.hasOwn(value, name)))

/** Chooses the reader of a list by its first values, and then passes all values on to it. */
export class SampledElements {
  readonly #choose: ChooseReader
  #held: { value: unknown; place: ElementPlace }[] = []
  #bytes = 0
  #list: ElementList | undefined

  constructor(choose: ChooseReader) {
    this.#choose = choose
  }

  read(value: unknown, place: ElementPlace): void {
    if (this.#list !== undefined) {
      this.#list.read(value, place)
      return
    }
    this.#held.push({ value, place })
    this.#bytes += place.range.end - place.range.start
    if (this.#held.length >= MAX_SAMPLE_VALUES || this.#bytes >= MAX_SAMPLE_BYTES) this.chosen()
  }

  /** Returns the reader; chooses it if it has not been chosen yet. */
  chosen(): ElementList {
    if (this.#list !== undefined) return this.#list
    const list = this.#choose(this.#held.map(({ value }) => value))
    this.#list = list
    for (const { value, place } of this.#held) list.read(value, place)
    this.#held = []
    return list
  }
}
