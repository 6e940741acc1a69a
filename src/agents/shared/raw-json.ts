/** A part of a JSON text: an element of an array, or a field of an object with its name. */
export interface RawPart {
  name: string
  /** The index of its first character. */
  start: number
  /** The index after its last character. */
  end: number
}

/**
 * Returns the elements of an array or the fields of an object as they stand in a JSON text, which must be valid. Values that
 * are copied from the text keep what a parser changes, such as the digits of large numbers. Linear for any input.
 * @param at where the bracket or brace that opens it is
 */
export function rawParts(json: string, at = findOpen(json)): RawPart[] {
  const parts: RawPart[] = []
  let name = ''
  let from = at + 1
  let lastString = { start: 0, end: 0 }
  const add = (to: number): void => {
    const [start, end] = withoutBlanks(json, from, to)
    if (start < end) parts.push({ name, start, end })
    from = to + 1
    name = ''
  }
  for (let index = at + 1; index < json.length; index++) {
    switch (json[index]) {
      case '"':
        lastString = { start: index, end: findStringEnd(json, index) + 1 }
        index = lastString.end - 1
        break
      case ':':
        name = String(JSON.parse(json.slice(lastString.start, lastString.end)))
        from = index + 1
        break
      case ',':
        add(index)
        break
      case '[':
      case '{':
        index = findClose(json, index)
        break
      case ']':
      case '}':
        add(index)
        return parts
    }
  }
  return parts
}

/** Returns the index of the bracket or brace that closes an array or an object. */
function findClose(json: string, open: number): number {
  let depth = 0
  for (let index = open; index < json.length; index++) {
    const character = json[index]
    if (character === '"') index = findStringEnd(json, index)
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') {
      depth -= 1
      if (depth === 0) return index
    }
  }
  return json.length
}

/** Returns the text of a field of an object, or of a field in a field; undefined if there is none. The last one of a name counts. */
export function rawField(json: string, ...path: readonly string[]): string | undefined {
  const [name, ...rest] = path
  if (name === undefined) return json
  const part = rawParts(json).findLast((one) => one.name === name)
  return part === undefined ? undefined : rawField(json.slice(part.start, part.end), ...rest)
}

/** Returns the texts of the elements of an array; none if the text is not an array. */
export const rawItems = (json: string | undefined): string[] =>
  json === undefined || json[findOpen(json)] !== '['
    ? []
    : rawParts(json).map(({ start, end }) => json.slice(start, end))

/** A line of a body. */
export interface RawLine {
  /** Its number; the first line is 0. */
  index: number
  text: string
  value: Readonly<Record<string, unknown>>
}

/** Returns the lines of a body that are JSON objects, from a byte on. @param first the number of the line that begins there */
export function* rawLines(body: Buffer, { start, index: first }: { start: number; index: number }): Generator<RawLine> {
  let index = first
  for (let at = start; at < body.length; index++) {
    const feed = body.indexOf(0x0a, at)
    const end = feed < 0 ? body.length : feed
    const text = body
      .toString('utf8', at, end)
      .replace(/^\uFEFF/, '')
      .trim()
    const value = parseObject(text)
    if (value !== undefined) yield { index, text, value }
    at = end + 1
  }
}

/** An element of a document: a line, or a value of its list. */
export interface RawElement {
  /** Its position in the document. */
  index: number
  /** As JSON. */
  text: string
}

/** A document with a list, as text. */
export interface RawDocument {
  text: string
  /** Where the elements of the list are. */
  items: readonly RawPart[]
  /** The document without the elements and the fields that are left out. */
  around: readonly [before: string, after: string]
}

/** The fields with the list of a document that is an object; the first array that is not empty counts, as for its reader. */
const LISTS = ['messages', 'entries', 'input', 'output', 'contents', 'history', 'trajectory', 'steps', 'events']

/**
 * Returns a document that is an array or an object with a list.
 * @param leftOut the fields that do not belong to the document
 */
export function rawDocument(body: Buffer, leftOut: readonly string[] = []): RawDocument {
  const text = body.toString()
  const open = findOpen(text)
  if (text[open] === '[') return { text, items: rawParts(text, open), around: ['[', ']'] }
  const fields = rawParts(text, open)
  const lists = LISTS.flatMap((name) => fields.findLast((field) => field.name === name) ?? []).filter(
    ({ start }) => text[start] === '[',
  )
  const list = lists.find(({ start }) => rawParts(text, start).length > 0) ?? lists[0]
  const write = (part: RawPart): string => `${JSON.stringify(part.name)}:${text.slice(part.start, part.end)}`
  const others = fields.filter((field) => field !== list && !leftOut.includes(field.name))
  const isBefore = (field: RawPart): boolean => list !== undefined && field.start < list.start
  const before = others.filter(isBefore).map((field) => `${write(field)},`)
  const after = others.filter((field) => !isBefore(field)).map((field) => `,${write(field)}`)
  return {
    text,
    items: list === undefined ? [] : rawParts(text, list.start),
    around: [`{${before.join('')}${JSON.stringify(list?.name)}:[`, `]${after.join('')}}`],
  }
}

/** Returns the elements of a body: its lines, or those of its list. */
export function rawElements({ body, isLines }: { body: Buffer; isLines: boolean }): RawElement[] {
  if (isLines) return [...rawLines(body, { start: 0, index: 0 })]
  const { text, items } = rawDocument(body)
  return items.map(({ start, end }, index) => ({ index, text: text.slice(start, end) }))
}

function parseObject(text: string): RawLine['value'] | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text) as RawLine['value']
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Returns the index of the bracket or brace with which a JSON text begins. */
function findOpen(json: string): number {
  let at = 0
  while (at < json.length && (isBlank(json[at]) || json[at] === '\uFEFF')) at += 1
  return at
}

function findStringEnd(json: string, open: number): number {
  for (let from = open + 1; ;) {
    const quote = json.indexOf('"', from)
    if (quote < 0) return json.length
    let start = quote
    while (start > from && json[start - 1] === '\\') start -= 1
    if ((quote - start) % 2 === 0) return quote
    from = quote + 1
  }
}

function withoutBlanks(json: string, from: number, to: number): [number, number] {
  let [start, end] = [from, to]
  while (start < end && isBlank(json[start])) start += 1
  while (end > start && isBlank(json[end - 1])) end -= 1
  return [start, end]
}

const isBlank = (character: string | undefined): boolean =>
  character === ' ' || character === '\t' || character === '\n' || character === '\r'
