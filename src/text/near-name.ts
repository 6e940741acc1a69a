/** A name with more faults is another name; and so is one with more than one fault in three characters. */
const MOST_FAULTS = 2
const CHARACTERS_PER_FAULT = 3

/**
 * Returns the nearest known name, which another one is likely meant to be; undefined if none is near. It takes constant time. Where names
 * that are not known are ignored (parameters, settings, parts of a form), a near one is refused: `keepRecentToken` would be the default.
 */
export function nearName(name: string, known: readonly string[]): string | undefined {
  let nearest: { name: string; faults: number } | undefined
  for (const one of known) {
    const most = Math.min(MOST_FAULTS, Math.floor(one.length / CHARACTERS_PER_FAULT))
    if (Math.abs(name.length - one.length) > most) continue
    const faults = editDistance(name.toLowerCase(), one.toLowerCase())
    if (faults <= most && (nearest === undefined || faults < nearest.faults)) nearest = { name: one, faults }
  }
  return nearest?.name
}

/** Returns the known name that another one is likely meant to be; undefined also for a known name. */
export const meantName = (name: string, known: readonly string[]): string | undefined =>
  known.includes(name) ? undefined : nearName(name, known)

/**
 * Returns how many characters have to be added, removed or replaced, or exchanged with the one beside them, to make one text of
 * another (the distance of Damerau and Levenshtein, in its restricted form).
 */
export function editDistance(a: string, b: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (const [at, character] of Array.from(a).entries()) {
    const next = [at + 1]
    for (let index = 0; index < b.length; index++) {
      const [left = 0, above = 0, corner = 0] = [next[index], row[index + 1], row[index]]
      const isExchanged = at > 0 && index > 0 && character === b[index - 1] && a[at - 1] === b[index]
      const exchanged = isExchanged ? (before[index - 1] ?? 0) + 1 : Infinity
      next.push(Math.min(left + 1, above + 1, corner + (character === b[index] ? 0 : 1), exchanged))
    }
    before = row
    row = next
  }
  return row.at(-1) ?? 0
}
