/** The lines of a text, known by where they begin: an array of the lines would take several times as long to make. */
export class Lines {
  readonly text: string
  readonly #starts: number[] = [0]

  constructor(text: string) {
    this.text = text
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) this.#starts.push(end + 1)
  }

  get count(): number {
    return this.#starts.length
  }

  /** Returns a line; an empty text where there is none. */
  at(index: number): string {
    return this.slice(index, index + 1)
  }

  /** Returns the lines from one up to another one, with the line ends between them. */
  slice(from: number, to: number): string {
    return this.text.slice(this.#starts[from] ?? this.text.length, this.startOf(to) - 1)
  }

  /** Returns where a line begins, in UTF-16 units; one after the end of the text where there is none. */
  startOf(index: number): number {
    return this.#starts[index] ?? this.text.length + 1
  }
}

/** Returns where the line of an index ends, in UTF-16 units. */
export function lineEndAfter(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}
