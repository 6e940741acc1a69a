const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** JSON's white space (RFC 8259, section 2). */
const BLANK = /^[ \t\r\n]*$/

/** A name of the body's object that is longer is none that is looked for. */
const MAX_NAME_BYTES = 32

export interface SplitOptions {
  /** The lists of the body's object that are split. */
  names: ReadonlySet<string>
  /** Stands for such a list in what is left; a JSON value that no caller can write. */
  placeholder: string
  /** Told when a list begins: one that comes again takes the place of the first, as `JSON.parse` has it. */
  onList: (name: string) => void
  /** Told of each element of a list, once all of it has come. The bytes may be used until it returns. */
  onElement: (name: string, bytes: Buffer) => void
}

const EMPTY = Buffer.alloc(0)

/**
 * Splits a JSON object, as its bytes come, into the elements of some of its lists and what is left of it. It jumps from
 * quote to quote and counts brackets; whether the pieces are JSON their parser tells, and the whole is where all of them
 * are (RFC 8259, section 2). Linear, whatever comes.
 */
export class ElementSplitter {
  readonly #options: SplitOptions
  readonly #left: Buffer[] = []
  #chunk: Buffer = Buffer.alloc(0)
  /** Where in the chunk the piece begins that is read. */
  #from = 0
  #depth = 0
  #isInString = false
  /** The next chunk's first byte belongs to an escape. */
  #isEscaped = false
  /** Where in the chunk the object's own string begins, and what came of it before. */
  #stringFrom = 0
  #stringHead = ''
  /** The object's own string that was read last, and the one that a colon followed. */
  #string = ''
  #name = ''
  /** The list that is read, and what has come of its element. */
  #list: string | undefined
  #element: Buffer[] = []
  #isEmpty = true

  constructor(options: SplitOptions) {
    this.#options = options
  }

  /** @throws SyntaxError where a list is closed by a brace, or has an element without a byte */
  push(chunk: Buffer): void {
    if (chunk.length === 0) return
    this.#chunk = chunk
    this.#from = 0
    this.#stringFrom = 0
    let at = this.#isEscaped ? 1 : 0
    this.#isEscaped = false
    while (at < chunk.length) at = this.#isInString ? this.#passString(at) : this.#passByte(at)
    this.#take(chunk.length)
  }

  /** What is left of the body once all has come: JSON, with a placeholder for each list. */
  left(): string {
    return Buffer.concat(this.#left).toString()
  }

  #passByte(at: number): number {
    switch (this.#chunk[at]) {
      case QUOTE:
        this.#isInString = true
        this.#stringFrom = at + 1
        this.#stringHead = ''
        if (this.#depth === 1) this.#string = ''
        break
      case OPEN_BRACKET:
        if (this.#depth === 1 && this.#options.names.has(this.#name)) this.#beginList(at)
        this.#depth += 1
        break
      case OPEN_BRACE:
        this.#depth += 1
        break
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        this.#depth -= 1
        if (this.#list !== undefined && this.#depth === 1) this.#endList(at)
        break
      case COMMA:
        if (this.#list !== undefined && this.#depth === 2) this.#endElement(at)
        this.#name = ''
        break
      case COLON:
        if (this.#depth === 1) this.#name = this.#string
    }
    return at + 1
  }

  /** @returns where the string ends, or the chunk */
  #passString(at: number): number {
    const chunk = this.#chunk
    const quote = chunk.indexOf(QUOTE, at)
    const end = quote < 0 ? chunk.length : quote
    let start = end
    while (start > at && chunk[start - 1] === BACKSLASH) start -= 1
    const isEscaped = (end - start) % 2 === 1
    if (quote >= 0 && isEscaped) return end + 1
    if (quote < 0) this.#isEscaped = isEscaped
    else this.#isInString = false
    if (this.#depth === 1) this.#readName(end)
    return end + 1
  }

  /** Of the object's own strings only short ones can be names that are looked for. */
  #readName(end: number): void {
    if (this.#stringHead.length > MAX_NAME_BYTES) return
    const piece = this.#chunk.subarray(this.#stringFrom, Math.min(end, this.#stringFrom + MAX_NAME_BYTES + 1))
    this.#stringHead += piece.toString('latin1')
    if (!this.#isInString) this.#string = this.#stringHead
  }

  /** Takes what has come of the piece up to here. */
  #take(end: number): void {
    const piece = this.#chunk.subarray(this.#from, end)
    if (piece.length > 0) (this.#list === undefined ? this.#left : this.#element).push(piece)
  }

  #beginList(at: number): void {
    this.#take(at)
    this.#left.push(Buffer.from(this.#options.placeholder))
    this.#options.onList(this.#name)
    this.#list = this.#name
    this.#name = ''
    this.#from = at + 1
    this.#isEmpty = true
  }

  #endElement(at: number): void {
    this.#take(at)
    const [first = EMPTY, ...others] = this.#element
    this.#element = []
    this.#from = at + 1
    this.#isEmpty = false
    this.#options.onElement(this.#list ?? '', others.length === 0 ? first : Buffer.concat([first, ...others]))
  }

  #endList(at: number): void {
    if (this.#chunk[at] === CLOSE_BRACE) throw new SyntaxError('A list is closed by a brace.')
    this.#take(at)
    const isBlank = this.#element.every((piece) => BLANK.test(piece.toString('latin1')))
    if (!this.#isEmpty || !isBlank) {
      this.#from = at
      this.#endElement(at)
    }
    this.#element = []
    this.#list = undefined
    this.#from = at + 1
  }
}
