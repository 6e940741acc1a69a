import { charactersOf, gapNote } from './truncate-middle.ts'

/** Joins the lines that were picked, with notes of how much is missing between them. */
export function joinPicked(
  lines: readonly string[],
  picked: ReadonlySet<number>,
  write = (line: string): string => line,
): string {
  const shown: string[] = []
  let gap = 0
  const closeGap = (): void => {
    if (gap > 0) shown.push(gapNote(gap))
    gap = 0
  }
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    if (!picked.has(index)) gap += charactersOf(line)
    else {
      closeGap()
      shown.push(write(line))
    }
  }
  closeGap()
  return shown.join('\n')
}
