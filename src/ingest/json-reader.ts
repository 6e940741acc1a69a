import { randomUUID } from 'node:crypto'
import { Problem } from '../errors.ts'
import { type ListName, ListReader, type Keep } from './list-reader.ts'
import { SessionBody } from './session-body.ts'
import { ElementSplitter } from './split-elements.ts'

/** Which lists of a route's body are read element by element, and what is kept of them. */
export interface SessionLists {
  names: readonly ListName[]
  keep: Keep
}

/** Nobody who writes a body knows it. */
const PLACEHOLDER = randomUUID()

/** Some editors begin a file with one. */
export const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text)

/** @returns the Problem `invalid-request` */
export const emptyBody = (): Problem =>
  new Problem('invalid-request', 'The body is empty.', { faults: [{ pointer: '', detail: 'is empty' }] })

/** Reads a JSON body as its bytes come. A byte order mark is passed over (RFC 8259, section 8.1). */
export class JsonReader {
  readonly #lists = new Map<ListName, ListReader>()
  readonly #keep: Keep
  readonly #splitter: ElementSplitter
  #isEmpty = true

  constructor({ names, keep }: SessionLists) {
    this.#keep = keep
    this.#splitter = new ElementSplitter({
      names: new Set(names),
      placeholder: JSON.stringify(PLACEHOLDER),
      onList: (name) => this.#lists.set(name as ListName, new ListReader(name as ListName, keep)),
      onElement: (name, bytes) => this.#lists.get(name as ListName)?.add(JSON.parse(bytes.toString())),
    })
  }

  /** How many elements of its lists have come. */
  get elements(): number {
    let elements = 0
    for (const { length } of this.#lists.values()) elements += length
    return elements
  }

  /** @throws Problem `invalid-request` as soon as it is known that the body is not JSON */
  push(chunk: Buffer): void {
    this.#isEmpty = false
    parsing(() => {
      this.#splitter.push(chunk)
    })
  }

  /**
   * @returns a SessionBody where it has any of the lists, else the value
   * @throws Problem `invalid-request` for what is empty or not JSON
   */
  end(): unknown {
    if (this.#isEmpty) throw emptyBody()
    const body = parsing(() => JSON.parse(withoutMark(this.#splitter.left())) as unknown)
    if (typeof body !== 'object' || body === null) return body
    const fields = body as Record<string, unknown>
    for (const name of this.#lists.keys()) {
      // A list may have been overwritten by another value of its name.
      if (fields[name] === PLACEHOLDER) fields[name] = []
      else this.#lists.delete(name)
    }
    return this.#lists.size === 0 ? body : new SessionBody({ fields, lists: this.#lists, keep: this.#keep })
  }
}

/** The parser's message quotes the body: it goes nowhere. */
function parsing<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const faults = [{ pointer: '', detail: 'is not JSON' }]
    throw new Problem('invalid-request', 'The body is not JSON.', { faults })
  }
}
