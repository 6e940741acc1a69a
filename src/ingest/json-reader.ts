import { randomUUID } from 'node:crypto'
import { Problem } from '../errors.ts'
import { isObject } from '../session/entry.ts'
import { ListReader, type Keep, type ListName } from './list-reader.ts'
import { SessionBody } from './session-body.ts'
import { ElementSplitter } from './split-elements.ts'

/** Which lists of a route's body are read element by element, and how much of their elements is kept. */
export interface IngestOptions {
  names: readonly ListName[]
  keep: Keep
}

/** Replaces a list in the rest of the body. It is random, so that no client can write it. */
const LIST_PLACEHOLDER = randomUUID()

/** Reads a JSON body while it is received. A byte order mark is ignored (RFC 8259, section 8.1). */
export class JsonReader {
  readonly #lists = new Map<ListName, ListReader>()
  readonly #keep: Keep
  readonly #splitter: ElementSplitter<ListName>
  #isEmpty = true

  constructor({ names, keep }: IngestOptions) {
    this.#keep = keep
    this.#splitter = new ElementSplitter({
      names,
      placeholder: JSON.stringify(LIST_PLACEHOLDER),
      onList: (name) => this.#lists.set(name, new ListReader(name, keep)),
      onElement: (name, bytes) => this.#lists.get(name)?.add(JSON.parse(bytes.toString())),
    })
  }

  /** The number of elements received so far, in all lists. */
  get elements(): number {
    let elements = 0
    for (const { length } of this.#lists.values()) elements += length
    return elements
  }

  /** Reads the next bytes. @throws Problem `invalid-request` as soon as the body is known not to be JSON */
  push(chunk: Buffer): void {
    this.#isEmpty = false
    catchSyntaxErrors(() => {
      this.#splitter.push(chunk)
    })
  }

  /**
   * Returns a SessionBody if the body has any of the lists, otherwise the body's value.
   * @throws Problem `invalid-request` if the body is empty or not JSON
   */
  end(): unknown {
    if (this.#isEmpty) throw emptyBody()
    const body = catchSyntaxErrors<unknown>(() => JSON.parse(withoutByteOrderMark(this.#splitter.rest())))
    if (!isObject(body)) return body
    for (const name of this.#lists.keys()) {
      // A later field of the same name may have replaced the list.
      if (body[name] === LIST_PLACEHOLDER) body[name] = []
      else this.#lists.delete(name)
    }
    return this.#lists.size === 0 ? body : new SessionBody({ fields: body, lists: this.#lists, keep: this.#keep })
  }
}

/** Returns a text without the byte order mark that some editors write at the beginning of a file. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

/** Returns the Problem `invalid-request` for a body without content. */
export function emptyBody(): Problem {
  const faults = [{ pointer: '', detail: 'must not be empty' }]
  return new Problem('invalid-request', 'The request body is empty. Send a JSON or NDJSON body.', { faults })
}

/** Throws a Problem instead of the parser's error, whose message quotes the body. */
function catchSyntaxErrors<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const faults = [{ pointer: '', detail: 'must be valid JSON' }]
    throw new Problem('invalid-request', 'The request body is not valid JSON.', { faults })
  }
}
