import { Problem, type Fault } from '../errors.ts'
import { emptyBody, withoutMark } from './json-reader.ts'
import { MAX_FAULTS } from '../schemas/find-faults.ts'
import { ListReader, type Keep } from './list-reader.ts'
import { SessionBody } from './session-body.ts'

const LINE_FEED = 0x0a

/**
 * Splits a text into lines as its bytes come.
 * @param onLine told of each line, without its end; the bytes may be used until it returns
 */
export class LineSplitter {
  readonly #onLine: (bytes: Buffer) => void
  #pieces: Buffer[] = []

  constructor(onLine: (bytes: Buffer) => void) {
    this.#onLine = onLine
  }

  push(chunk: Buffer): void {
    let from = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      this.#pieces.push(chunk.subarray(from, end))
      from = end + 1
      this.end()
    }
    if (from < chunk.length) this.#pieces.push(chunk.subarray(from))
  }

  /** What came after the last line's end is a line too, and empty where nothing did. */
  end(): void {
    const [only, ...others] = this.#pieces
    this.#pieces = []
    this.#onLine(only !== undefined && others.length === 0 ? only : Buffer.concat(only ? [only, ...others] : []))
  }
}

/**
 * Reads a session file as its bytes come, a JSON value a line. A broken last line is ignored: an agent may have been
 * stopped while it wrote it (docs/contract.md, "Entries form").
 */
export class NdjsonReader {
  readonly #entries: ListReader
  readonly #keep: Keep
  readonly #splitter: LineSplitter
  readonly #faults: Fault[] = []
  /** Lines at the end so far that may turn out to be the last: blank ones, and one that is broken. */
  #blanks = 0
  #isBroken = false

  constructor(keep: Keep) {
    this.#keep = keep
    this.#entries = new ListReader('entries', keep)
    this.#splitter = new LineSplitter((bytes) => {
      this.#read(bytes.toString())
    })
  }

  /** How many entries have come. */
  get elements(): number {
    return this.#entries.length
  }

  /** @throws Problem `invalid-request` once too many lines are broken */
  push(chunk: Buffer): void {
    this.#splitter.push(chunk)
  }

  /** @throws Problem `invalid-request` that names each broken line, but the last, as `/entries/N` */
  end(): SessionBody {
    this.#splitter.end()
    if (this.#entries.count === 0) throw emptyBody()
    if (this.#isBroken && this.#entries.count === 1) this.#complain()
    if (this.#faults.length > 0) throw this.#problem()
    const lists = new Map([['entries' as const, this.#entries]])
    return new SessionBody({ fields: { entries: [] }, lists, keep: this.#keep, isLines: true })
  }

  #read(line: string): void {
    const text = this.#entries.count + this.#blanks === 0 ? withoutMark(line) : line
    if (text.trim() === '') {
      this.#blanks += 1
      return
    }
    if (this.#isBroken) this.#complain()
    for (; this.#blanks > 0; this.#blanks--) this.#entries.skip()
    this.#isBroken = false
    try {
      this.#entries.add(JSON.parse(text))
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      this.#entries.skip()
      this.#isBroken = true
    }
  }

  #complain(): void {
    this.#faults.push({ pointer: `/entries/${this.#entries.count - 1}`, detail: 'is not JSON' })
    if (this.#faults.length === MAX_FAULTS) throw this.#problem()
  }

  #problem(): Problem {
    return new Problem('invalid-request', 'A line is not a JSON value.', { faults: this.#faults })
  }
}
