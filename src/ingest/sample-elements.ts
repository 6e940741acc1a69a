import { isObject, NO_RANGE, parseJson, type ByteRange, type ElementPlace } from '../session/entry.ts'
import { CLOSE_BRACE, OPEN_BRACE } from '../text/json-scan.ts'
import { findJsonFault } from './find-json-fault.ts'
import type { ElementList } from './read-elements.ts'
import { eachLine } from './split-elements.ts'

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

/** The first lines of a body, which show whether it is a file of lines. Each is parsed once. */
export class FirstLines {
  readonly #body: Buffer
  /** The values by their first byte; undefined for a line that is not JSON. */
  readonly #values = new Map<number, unknown>()
  /** The first line, and the next one that is not blank. */
  readonly #first: ByteRange
  readonly #second: ByteRange | undefined

  constructor(body: Buffer) {
    const lines = eachLine(body)
    this.#body = body
    this.#first = lines.next().value?.range ?? NO_RANGE
    this.#second = lines.next().value?.range
  }

  /** Returns whether the body has one line, blank ones aside. */
  get isOne(): boolean {
    return this.#second === undefined
  }

  /** Notes the value of the only line, which somebody else has parsed. */
  note(value: unknown): void {
    this.#values.set(this.#first.start, value)
  }

  /** Returns the value of a line; undefined if it is not JSON. */
  valueAt(range: ByteRange): unknown {
    return this.#values.has(range.start) ? this.#values.get(range.start) : parseLine(this.#body, range)
  }

  /** Returns whether a body that was sent as NDJSON is one JSON value: on several lines, or a single line of another form. */
  isOneJsonValue(): boolean {
    if (!this.#beginsWithLine()) return true
    const { values, isAll } = this.#sample()
    const [only, ...others] = values.filter(isObject)
    return only !== undefined && others.length === 0 && isAll && isUnknown([only])
  }

  /** Returns whether a body that is not JSON is a file of lines with objects. */
  isFile(): boolean {
    return this.#beginsWithLine() && this.#sample().values.some(isObject)
  }

  /** Returns whether the first line is an object, and another line follows: the body is not one JSON value. */
  beginsWithObject(): boolean {
    const { start, end } = this.#first
    const isObjects = this.#body[start] === OPEN_BRACE && this.#body[end - 1] === CLOSE_BRACE
    return isObjects && !this.isOne && this.#parse(this.#first) !== undefined
  }

  /**
   * Returns whether a body is a file of lines, by its first line: it is a whole value, or it is broken and other lines follow, as
   * after an agent that was stopped. The fault of a document on several lines is after its second line.
   */
  #beginsWithLine(): boolean {
    if (this.#parse(this.#first) !== undefined) return true
    const fault = findJsonFault(this.#body)
    if (fault === undefined) return false
    const { start } = this.#second ?? { start: fault.at }
    return fault.at <= start || parseLine(this.#body, { start, end: fault.at }) !== undefined
  }

  /** Returns the JSON values on the first lines, and whether these are all lines. */
  #sample(): { values: readonly unknown[]; isAll: boolean } {
    const values: unknown[] = []
    let count = 0
    for (const { range } of eachLine(this.#body)) {
      if (count === MAX_SAMPLE_VALUES || (count > 0 && range.start >= MAX_SAMPLE_BYTES)) return { values, isAll: false }
      count += 1
      const value = this.#parse(range)
      if (value !== undefined) values.push(value)
    }
    return { values, isAll: true }
  }

  #parse(range: ByteRange): unknown {
    const value = this.valueAt(range)
    this.#values.set(range.start, value)
    return value
  }
}

const parseLine = (body: Buffer, { start, end }: ByteRange): unknown => parseJson(body.toString('utf8', start, end))
