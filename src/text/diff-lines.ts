/** A line of a comparison of two texts. */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** Longer texts are compared by sets of lines: the table would be too large. */
const MAX_CELLS = 4_000_000

/** Returns the lines of two texts, with those that only one of them has. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')]
  const lengths = a.length * b.length > MAX_CELLS ? undefined : commonLengths(a, b)
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    const [left = '', right = ''] = [a[i], b[j]]
    if (left === right) {
      lines.push({ kind: 'same', text: left })
      i += 1
      j += 1
    } else if (lengths === undefined || lengths.below(i, j) >= lengths.beside(i, j)) {
      lines.push({ kind: 'removed', text: left })
      i += 1
    } else {
      lines.push({ kind: 'added', text: right })
      j += 1
    }
  }
  for (const text of a.slice(i)) lines.push({ kind: 'removed', text })
  for (const text of b.slice(j)) lines.push({ kind: 'added', text })
  return lines
}

/** Returns the lengths of the longest common subsequences of the ends of two lists. */
function commonLengths(a: readonly string[], b: readonly string[]) {
  const width = b.length + 1
  const table = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number): number => table[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      table[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  return { below: (i: number, j: number) => at(i + 1, j), beside: (i: number, j: number) => at(i, j + 1) }
}
