/** A name with more faults is another name. */
const MOST_FAULTS = 2

/** Returns the known name that another one is likely meant to be; undefined if none is near. It takes constant time. */
export const nearName = (name: string, known: readonly string[]): string | undefined =>
  known.find(
    (one) => Math.abs(name.length - one.length) <= MOST_FAULTS && editDistance(name.toLowerCase(), one) <= MOST_FAULTS,
  )

/** Returns how many characters have to be added, removed or replaced to make one text of another (Levenshtein's distance). */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [at, character] of Array.from(a).entries()) {
    const next = [at + 1]
    for (let index = 0; index < b.length; index++) {
      const [left = 0, above = 0, corner = 0] = [next[index], row[index + 1], row[index]]
      next.push(Math.min(left + 1, above + 1, corner + (character === b[index] ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
