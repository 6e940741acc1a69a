import { findValueStart, OPEN_BRACE, OPEN_BRACKET, scanMembers } from '../../text/json-scan.ts'

/** A part of a JSON text: an element of an array, or a field of an object with its name. */
export interface RawPart {
  name: string
  /** The index of its first character. */
  start: number
  /** The index after its last character. */
  end: number
}

/**
 * Returns the elements of an array or the fields of an object as they are in a JSON text, which must be valid; none for any other
 * value. Values that are copied from the text keep what a parser changes, such as the digits of large numbers. Linear for any input.
 */
export function rawParts(json: string): RawPart[] {
  const parts: RawPart[] = []
  const open = findValueStart(json)
  if (![OPEN_BRACE, OPEN_BRACKET].includes(json.charCodeAt(open))) return parts
  scanMembers(json, open, {
    onMember: (value, name) => {
      const text = json.slice(name.start, name.end)
      if (value.start < value.end) parts.push({ name: text === '' ? '' : String(JSON.parse(text)), ...value })
    },
  })
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
  json === undefined || json.charCodeAt(findValueStart(json)) !== OPEN_BRACKET
    ? []
    : rawParts(json).map(({ start, end }) => json.slice(start, end))
