/** How much of an output is searched: errors are at its end, and sometimes at its beginning. */
const HEAD_CHARACTERS = 4000
const TAIL_CHARACTERS = 12_000

/** Returns an output without the middle of a long one. */
export function searchedPart(output: string): string {
  if (output.length <= HEAD_CHARACTERS + TAIL_CHARACTERS) return withoutColors(output)
  const tail = output.slice(-TAIL_CHARACTERS)
  return withoutColors(`${output.slice(0, HEAD_CHARACTERS)}\n${tail.slice(tail.indexOf('\n') + 1)}`)
}

/** The marks of colors for a terminal: some clients leave the sign before them out. */
const COLOR = /\u001b?\[\d{1,3}(?:;\d{1,3}){0,4}m/g

const withoutColors = (text: string): string => text.replace(COLOR, '')

/**
 * Returns the lines of that part. Hooks that pass on what others have printed may write ends of lines as `\n`: two of them in a row are
 * a blank line, and no part of a path or a pattern.
 */
export const searchedLines = (output: string): string[] =>
  searchedPart(output)
    .split('\n')
    .flatMap((line) => (line.includes(String.raw`\n\n`) ? line.split(String.raw`\n`) : line))
