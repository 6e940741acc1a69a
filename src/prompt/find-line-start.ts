/** Behind these the value of an assignment may stand on the next line. */
const OPENS_VALUE = /[=:>]["'\]]?\s*$/

/** A line that begins so goes on with an assignment. */
const GOES_ON = /^["'\]\s]{0,4}(?:=|:[= "'])/

/** An assignment's parts are at most so many line ends apart. */
const MAX_LINES_BACK = 3

/**
 * Finds where what is kept of a text may begin: at the first line from a place on that is not the value of a line before
 * it, since a secret is told by its name.
 * @returns undefined where no line begins there
 */
export function findLineStart(text: string, from: number): number | undefined {
  for (let end = text.indexOf('\n', Math.max(0, from - 1)); end >= 0; end = text.indexOf('\n', end + 1))
    if (!isParted(text.slice(Math.max(0, end - 40), end), text.slice(end + 1, end + 9))) return end + 1
  return undefined
}

const isParted = (before: string, line: string): boolean => OPENS_VALUE.test(before) || GOES_ON.test(line)

/** The line that a line's value may belong to: the one before, but for blank ones, where it opens a value. */
export function findOpeningLine(lines: readonly string[], index: number): number | undefined {
  for (let back = index - 1; back >= 0 && back >= index - MAX_LINES_BACK; back--) {
    const line = lines[back] ?? ''
    if (line.trim() !== '') return isParted(line.slice(-40), (lines[index] ?? '').slice(0, 8)) ? back : undefined
  }
  return undefined
}
