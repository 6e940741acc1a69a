/** What is quoted in the state at the end of a line: it is compared with no other words of a summary. */
const QUOTED =
  /; (?:committed(?: since)?: |the user then: )[^()]{1,500}(?=\)$)| \((?:committed(?: since)?: |the user then: )[^()]{1,500}\)$/

/** Returns a line as a function changes it, which does not see what is quoted in its state. */
export function besideQuoted(line: string, change: (line: string) => string | undefined): string | undefined {
  const changed = change(withoutQuoted(line))
  const [quoted = ''] = QUOTED.exec(line) ?? []
  if (changed === undefined || quoted === '' || quoted.startsWith(' ')) return changed && changed + quoted
  return changed.endsWith(')') ? `${changed.slice(0, -1)}${quoted})` : `${changed} (${quoted.slice(2)})`
}

/** Returns a line without what is quoted in its state. */
export const withoutQuoted = (line: string): string => line.replace(QUOTED, '')
