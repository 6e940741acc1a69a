import { Problem, type Fault } from '../errors.ts'
import { MAX_FAULTS } from '../schemas/find-faults.ts'
import { emptyBody, withoutByteOrderMark } from './json-reader.ts'
import { ListReader, type Keep } from './list-reader.ts'
import { SessionBody } from './session-body.ts'

/**
 * Reads a session file, one JSON value per line, while it is received. A last line that is not valid JSON is ignored: the
 * agent may have been stopped while it wrote the line (docs/contract.md, "Entries form").
 */
export class NdjsonReader {
  readonly #entries: ListReader
  readonly #keep: Keep
  readonly #splitter: LineSplitter
  readonly #faults: Fault[] = []
  /** The number of blank lines since the last line with text: at the end of the file they do not count. */
  #blankLines = 0
  /** Whether the last line with text was not valid JSON: this is a fault if another line follows. */
  #isLastBroken = false

  constructor(keep: Keep) {
    this.#keep = keep
    this.#entries = new ListReader('entries', keep)
    this.#splitter = new LineSplitter((bytes) => {
      this.#read(bytes.toString())
    })
  }

  /** The number of entries received so far. */
  get elements(): number {
    return this.#entries.length
  }

  /** Reads the next bytes. @throws Problem `invalid-request` once too many lines are not valid JSON */
  push(chunk: Buffer): void {
    this.#splitter.push(chunk)
  }

  /**
   * Returns the body, once all bytes have been received.
   * @throws Problem `invalid-request` that names each line that is not valid JSON, except the last, as `/entries/N`
   */
  end(): SessionBody {
    this.#splitter.end()
    if (this.#entries.count === 0) throw emptyBody()
    if (this.#isLastBroken && this.#entries.count === 1) this.#addFault()
    if (this.#faults.length > 0) throw this.#problem()
    const lists = new Map([['entries' as const, this.#entries]])
    return new SessionBody({ fields: { entries: [] }, lists, keep: this.#keep, isLines: true })
  }

  #read(line: string): void {
    const text = this.#entries.count + this.#blankLines === 0 ? withoutByteOrderMark(line) : line
    if (text.trim() === '') {
      this.#blankLines += 1
      return
    }
    if (this.#isLastBroken) this.#addFault()
    for (; this.#blankLines > 0; this.#blankLines--) this.#entries.skip()
    this.#isLastBroken = false
    try {
      this.#entries.add(JSON.parse(text))
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      this.#entries.skip()
      this.#isLastBroken = true
    }
  }

  #addFault(): void {
    this.#faults.push({ pointer: `/entries/${this.#entries.count - 1}`, detail: 'must be valid JSON' })
    if (this.#faults.length === MAX_FAULTS) throw this.#problem()
  }

  #problem(): Problem {
    return new Problem('invalid-request', 'The NDJSON body has lines that are not valid JSON.', {
      faults: this.#faults,
    })
  }
}

const LINE_FEED = 0x0a

/**
 * Splits a text into lines while it is received.
 * @param onLine called with each line, without its line feed; the bytes are valid until it returns
 */
class LineSplitter {
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

  /** Ends the current line. At the end of the text, this is the text after the last line feed, which may be empty. */
  end(): void {
    const [only, ...others] = this.#pieces
    this.#pieces = []
    this.#onLine(only !== undefined && others.length === 0 ? only : Buffer.concat(only ? [only, ...others] : []))
  }
}
