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
