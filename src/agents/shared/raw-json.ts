import { findNestedEnd, findStringEnd } from '../../text/json-ends.ts'

/** A part of a JSON text: an element of an array, or a field of an object with its name. */
export interface RawPart {
  name: string
  /** The index of its first character. */
  start: number
  /** The index after its last character. */
  end: number
}

/**
 * Returns the elements of an array or the fields of an object as they are in a JSON text, which must be valid; none for any other value. Values that
 * are copied from the text keep what a parser changes, such as the digits of large numbers. Linear for any input.
 * @param at where the bracket or brace that opens it is
 */
export function rawParts(json: string, at = findOpen(json)): RawPart[] {
  const parts: RawPart[] = []
  if (json[at] !== '{' && json[at] !== '[') return parts
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
        lastString = { start: index, end: findStringEnd(json, index) }
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
        index = findNestedEnd(json, index) - 1
        break
      case ']':
      case '}':
        add(index)
        return parts
    }
  }
  return parts
}

/** Returns the text of a field of an object, or of a field in a field; undefined if there is none. The last one of a name counts. */
export function rawField(json: string, ...path: readonly string[]): string | undefined {
  const [name, ...rest] = path
  if (name === undefined) return json
  const part = rawParts(json).findLast((one) => one.name === name)
  return part === undefined ? undefined : rawField(json.slice(part.start, part.end), ...rest)
}

/** Returns the fields of an object as JSON, each with its name, but for those that are left out. */
export const rawFields = (json: string, leftOut: readonly string[]): string[] =>
  rawParts(json)
    .filter(({ name }) => !leftOut.includes(name))
    .map(({ name, start, end }) => `${JSON.stringify(name)}:${json.slice(start, end)}`)

/** Returns an object in which a list has only some of its items; the same text if it has no such list. */
export function withItems(json: string, name: string, choose: (items: string[]) => string[]): string {
  const list = rawParts(json).findLast((one) => one.name === name)
  if (list === undefined) return json
  const items = choose(rawItems(json.slice(list.start, list.end)))
  return `${json.slice(0, list.start)}[${items.join(',')}]${json.slice(list.end)}`
}

/** Returns the texts of the elements of an array; none if the text is not an array. */
export const rawItems = (json: string | undefined): string[] =>
  json === undefined || json[findOpen(json)] !== '['
    ? []
    : rawParts(json).map(({ start, end }) => json.slice(start, end))

/** Returns the index of the bracket or brace with which a JSON text begins. */
function findOpen(json: string): number {
  let at = 0
  while (at < json.length && (isBlank(json[at]) || json[at] === '\uFEFF')) at += 1
  return at
}

function withoutBlanks(json: string, from: number, to: number): [number, number] {
  let [start, end] = [from, to]
  while (start < end && isBlank(json[start])) start += 1
  while (end > start && isBlank(json[end - 1])) end -= 1
  return [start, end]
}

const isBlank = (character: string | undefined): boolean =>
  character === ' ' || character === '\t' || character === '\n' || character === '\r'
