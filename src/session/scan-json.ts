/**
 * Finds where a JSON value ends, without reading it: strings and nesting are followed, anything else goes up to a comma
 * or a closing parenthesis. A value that is not closed goes on to the text's end. Linear, and not recursive.
 * @param start where the value begins
 * @returns the index after the value
 */
export function findJsonEnd(text: string, start: number): number {
  const first = text[start]
  if (first === '"') return findStringEnd(text, start)
  return first === '{' || first === '[' ? findNestedEnd(text, start) : findDelimiter(text, start)
}

/** Finds the next comma or closing parenthesis, or the text's end. */
export function findDelimiter(text: string, start: number): number {
  const delimiter = /[,)]/g
  delimiter.lastIndex = start
  return delimiter.exec(text)?.index ?? text.length
}

function findStringEnd(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const character = text[index]
    if (character === '\\') index++
    else if (character === '"') return index + 1
  }
  return text.length
}

function findNestedEnd(text: string, start: number): number {
  let depth = 0
  for (let index = start; index < text.length; index++) {
    const character = text[index]
    if (character === '"') index = findStringEnd(text, index) - 1
    else if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && --depth === 0) return index + 1
  }
  return text.length
}
