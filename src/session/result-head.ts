/** The line before a result that old versions of Cline, Roo and Kilo write as text: `[read_file for 'a.ts'] Result:`. */
interface ResultHead {
  tool: string
  /** The text in the place of the arguments, such as a path or a command; it may have several lines. */
  about: string
  /** The text after the line; empty where the result has blocks of its own. */
  rest: string
}

const START = /^\[([a-z]\w{0,59})(?=[ \]])/
const END = '] Result:'

/** Returns the head with which a text begins; undefined for other texts. */
export function readResultHead(text: string): ResultHead | undefined {
  const [start, tool] = START.exec(text) ?? []
  const end = start === undefined ? -1 : text.indexOf(END, start.length)
  if (start === undefined || tool === undefined || end < 0) return undefined
  // `[tool] Result:` has nothing between the name and the end.
  if (text[start.length] === ']' && end !== start.length) return undefined
  return { tool, about: text.slice(start.length, end).trim(), rest: text.slice(end + END.length).trim() }
}
