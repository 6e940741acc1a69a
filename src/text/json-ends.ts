/** Returns the index after the string of a JSON text that a quote opens; the length of the text if it is not closed. */
export function findStringEnd(json: string, open: number): number {
  for (let from = open + 1; ;) {
    const quote = json.indexOf('"', from)
    if (quote < 0) return json.length
    let start = quote
    while (start > from && json[start - 1] === '\\') start -= 1
    if ((quote - start) % 2 === 0) return quote + 1
    from = quote + 1
  }
}

/**
 * Returns the index after the array or object of a JSON text that a bracket or brace opens; the length of the text if it is not
 * closed. Linear, and not recursive.
 */
export function findNestedEnd(json: string, open: number): number {
  let depth = 0
  for (let index = open; index < json.length; index++) {
    const character = json[index]
    if (character === '"') index = findStringEnd(json, index) - 1
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') {
      depth -= 1
      if (depth === 0) return index + 1
    }
  }
  return json.length
}
