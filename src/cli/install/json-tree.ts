/** A value in JSON text that may have comments and commas before closing brackets, as the settings of agents have. */
export interface JsonNode {
  /** The index of its first character, and that after its last one. */
  start: number
  end: number
  value: unknown
  /** The members of an object, in their order. */
  members?: readonly JsonMember[]
  /** The elements of a list. */
  items?: readonly JsonNode[]
}

export interface JsonMember {
  key: string
  /** Where its key begins. */
  start: number
  node: JsonNode
}

/** Text that is not JSON. Its message says what is wrong, and in which line. */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError'

  constructor(text: string, index: number, what: string) {
    super(`line ${text.slice(0, index).split('\n').length}: ${what}`)
  }
}

/** Returns the value that a text has, with its places; undefined if there is nothing but space and comments. */
export function parseJsonTree(text: string): JsonNode | undefined {
  const reader = new Reader(text)
  // A byte order mark is no part of the document.
  reader.index = text.startsWith('\uFEFF') ? 1 : 0
  reader.skip()
  if (reader.index === text.length) return undefined
  const node = reader.readValue(0)
  reader.skip()
  if (reader.index < text.length) throw reader.error('there is text after the end of the document')
  return node
}

/** Deeper settings are not read: this would need too much of the stack. */
const MAX_DEPTH = 200

class Reader {
  index = 0
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  error = (what: string): JsonTextError => new JsonTextError(this.text, this.index, what)

  /** Skips space and comments. */
  skip(): void {
    this.index = skipSpace(this.text, this.index)
  }

  readValue(depth: number): JsonNode {
    if (depth > MAX_DEPTH) throw this.error('the values are nested too deeply')
    const start = this.index
    switch (this.text[start]) {
      case '{':
        return this.#readObject(depth)
      case '[':
        return this.#readList(depth)
      case '"':
        return { start, value: this.#readString(), end: this.index }
      default:
        return this.#readScalar()
    }
  }

  #readObject(depth: number): JsonNode {
    const start = this.index
    const members: JsonMember[] = []
    this.#readParts('}', () => {
      const keyStart = this.index
      if (this.text[keyStart] !== '"') throw this.error('a key in double quotes is missing')
      const key = this.#readString()
      this.skip()
      if (this.text[this.index] !== ':') throw this.error(`a colon is missing after the key ${JSON.stringify(key)}`)
      this.index += 1
      this.skip()
      members.push({ key, start: keyStart, node: this.readValue(depth + 1) })
    })
    const value = Object.fromEntries(members.map(({ key, node }) => [key, node.value]))
    return { start, end: this.index, value, members }
  }

  #readList(depth: number): JsonNode {
    const start = this.index
    const items: JsonNode[] = []
    this.#readParts(']', () => items.push(this.readValue(depth + 1)))
    return { start, end: this.index, value: items.map(({ value }) => value), items }
  }

  /** Reads parts with commas between them, up to a closing bracket. */
  #readParts(close: string, readPart: () => void): void {
    this.index += 1
    this.skip()
    while (this.text[this.index] !== close) {
      readPart()
      this.skip()
      if (this.text[this.index] !== ',') break
      this.index += 1
      this.skip()
    }
    if (this.text[this.index] !== close) throw this.error(`a comma or ${close} is missing`)
    this.index += 1
  }

  #readString(): string {
    const end = endOfString(this.text, this.index)
    const value = this.#parse(this.text.slice(this.index, end))
    this.index = end
    return value as string
  }

  #readScalar(): JsonNode {
    const start = this.index
    const [word = ''] = /^[\w+.-]*/.exec(this.text.slice(start, start + 400)) ?? []
    const value = this.#parse(word)
    this.index += word.length
    return { start, end: this.index, value }
  }

  #parse(json: string): unknown {
    try {
      return JSON.parse(json)
    } catch {
      throw this.error(json === '' ? 'a value is missing' : `${json.slice(0, 40)} is no JSON value`)
    }
  }
}

/** Returns the index after a string, whose quotation mark is at an index; of one without an end, the end of the text. */
function endOfString(text: string, start: number): number {
  let index = start + 1
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1
  return Math.min(index + 1, text.length)
}

/** Returns the index of the next character that is neither space nor part of a comment. */
export function skipSpace(text: string, from: number): number {
  let index = from
  for (;;) {
    while (/\s/.test(text[index] ?? '')) index += 1
    const next = skipComment(text, index)
    if (next === index) return index
    index = next
  }
}

/** Returns the index after the comment that begins at an index; of one in one line, that of the line's end. The same index without one. */
export function skipComment(text: string, index: number): number {
  if (text.startsWith('//', index)) return foundOr(text, text.indexOf('\n', index))
  if (!text.startsWith('/*', index)) return index
  const end = text.indexOf('*/', index + 2)
  return end === -1 ? text.length : end + 2
}

const foundOr = (text: string, index: number): number => (index === -1 ? text.length : index)
