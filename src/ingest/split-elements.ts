interface ElementSplitterOptions<Name extends string> {
  /** The fields of the body whose lists are split. */
  names: readonly Name[]
  /** Replaces such a list in the rest of the body: a JSON value that no client can write. */
  placeholder: string
  /** Called when a list begins. A second list of the same name replaces the first, as with `JSON.parse`. */
  onList: (name: Name) => void
  /** Called with each complete element of a list. The bytes are valid until it returns. */
  onElement: (name: Name, bytes: Buffer) => void
}

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

/** A field with a longer name is never one of `names`. */
const MAX_NAME_BYTES = 32

const EMPTY = Buffer.alloc(0)

/**
 * Splits a JSON object, while it is received, into the elements of some of its lists and the rest. It jumps from quote to
 * quote and counts brackets. It does not validate: the object is JSON if the rest and all elements are JSON (RFC 8259,
 * section 2), which their parser checks. Linear for any input.
 */
export class ElementSplitter<Name extends string> {
  readonly #options: ElementSplitterOptions<Name>
  readonly #rest: Buffer[] = []
  #chunk: Buffer = EMPTY
  /** Where the current piece begins in the chunk. */
  #from = 0
  #depth = 0
  #isInString = false
  /** Whether the first byte of the next chunk is part of an escape sequence. */
  #isEscaped = false
  /** Where the current string of the object begins in the chunk, and its text from earlier chunks. */
  #stringFrom = 0
  #stringHead = ''
  /** The object's last string, and the last one with a colon after it. */
  #string = ''
  #name = ''
  /** The current list, and the bytes of its current element. */
  #list: Name | undefined
  #element: Buffer[] = []
  #isListEmpty = true

  constructor(options: ElementSplitterOptions<Name>) {
    this.#options = options
  }

  /** Reads the next bytes. @throws SyntaxError if a list is closed by a brace, or has an element without any byte */
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

  /** Returns the rest of the body, once all bytes have been received: JSON with a placeholder for each list. */
  rest(): string {
    return Buffer.concat(this.#rest).toString()
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
        if (this.#depth === 1) this.#beginList(at)
        this.#depth += 1
        break
      case OPEN_BRACE:
        this.#depth += 1
        break
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        this.#depth -= 1
        if (this.#list !== undefined && this.#depth === 1) this.#endList(this.#list, at)
        break
      case COMMA:
        if (this.#list !== undefined && this.#depth === 2) this.#endElement(this.#list, at)
        this.#name = ''
        break
      case COLON:
        if (this.#depth === 1) this.#name = this.#string
    }
    return at + 1
  }

  /** Returns the index after the string, or after the chunk. */
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

  /** Reads a string of the object, which may be a name. The text of a long string is not needed. */
  #readName(end: number): void {
    if (this.#stringHead.length > MAX_NAME_BYTES) return
    const piece = this.#chunk.subarray(this.#stringFrom, Math.min(end, this.#stringFrom + MAX_NAME_BYTES + 1))
    this.#stringHead += piece.toString('latin1')
    if (!this.#isInString) this.#string = this.#stringHead
  }

  /** Adds the current piece, up to here, to the element or to the rest. */
  #take(end: number): void {
    const piece = this.#chunk.subarray(this.#from, end)
    if (piece.length > 0) (this.#list === undefined ? this.#rest : this.#element).push(piece)
  }

  /** Begins a list, if its name is one of `names`. */
  #beginList(at: number): void {
    const list = this.#options.names.find((name) => name === this.#name)
    if (list === undefined) return
    this.#take(at)
    this.#rest.push(Buffer.from(this.#options.placeholder))
    this.#options.onList(list)
    this.#list = list
    this.#name = ''
    this.#from = at + 1
    this.#isListEmpty = true
  }

  #endElement(list: Name, at: number): void {
    this.#take(at)
    const [first = EMPTY, ...others] = this.#element
    this.#element = []
    this.#from = at + 1
    this.#isListEmpty = false
    this.#options.onElement(list, others.length === 0 ? first : Buffer.concat([first, ...others]))
  }

  #endList(list: Name, at: number): void {
    if (this.#chunk[at] === CLOSE_BRACE) throw new SyntaxError('A list is closed by a brace.')
    this.#take(at)
    const isBlank = this.#element.every((piece) => BLANK.test(piece.toString('latin1')))
    if (!this.#isListEmpty || !isBlank) {
      this.#from = at
      this.#endElement(list, at)
    }
    this.#element = []
    this.#list = undefined
    this.#from = at + 1
  }
}
