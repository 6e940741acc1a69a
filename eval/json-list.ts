/** One element of a model's list: a JSON object. */
export type Item = Readonly<Record<string, unknown>>

/**
 * Reads the list of JSON objects in a model's reply: a JSON array, also in a code fence or between other words, or
 * objects without an array around them. Takes linear time.
 * @returns the objects that could be read; an element that is not an object or not valid JSON is left out
 */
export function readListItems(reply: string): Item[] {
  const whole = parse(reply.slice(reply.indexOf('['), reply.lastIndexOf(']') + 1))
  const values = Array.isArray(whole) ? whole : findObjects(reply).map(parse)
  return values.filter(isItem)
}

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the texts of the outermost objects, by counting braces outside of strings. */
function findObjects(text: string): string[] {
  const objects: string[] = []
  let depth = 0
  let start = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isInString) {
      if (character === '\\') at++
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = depth > 0
    else if (character === '{' && depth++ === 0) start = at
    else if (character === '}' && depth > 0 && --depth === 0) objects.push(text.slice(start, at + 1))
  }
  return objects
}

/** Returns a field as text: numbers are written out, anything else is an empty text. */
export function textField(item: Item, name: string): string {
  const value = item[name]
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
}

/** Returns the text of a list's elements for a prompt or a file, one in each line. */
export const writeItems = (items: readonly object[]): string =>
  `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]\n`
