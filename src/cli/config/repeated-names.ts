/** Returns the names that valid JSON text without objects in objects has more than once, each with the line of its second place. */
export function repeatedNamesIn(text: string): { name: string; line: number }[] {
  const seen = new Set<string>()
  return namesIn(text).flatMap(({ name, at }) => {
    if (!seen.has(name)) {
      seen.add(name)
      return []
    }
    return [{ name, line: text.slice(0, at).split('\n').length }]
  })
}

/** Returns all strings that a colon follows. */
function namesIn(text: string): { name: string; at: number }[] {
  const found: { name: string; at: number }[] = []
  for (let at = text.indexOf('"'); at >= 0;) {
    const end = endOfString(text, at)
    if (text.slice(end, nextQuote(text, end)).trimStart().startsWith(':'))
      found.push({ name: JSON.parse(text.slice(at, end)) as string, at })
    at = text.indexOf('"', end)
  }
  return found
}

function endOfString(text: string, start: number): number {
  let index = start + 1
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1
  return index + 1
}

function nextQuote(text: string, from: number): number {
  const at = text.indexOf('"', from)
  return at < 0 ? text.length : at
}
