/** Where an entry is. */
export interface Location {
  /** Its number in the branch, or in the file if its branch was left, from 1. */
  number: number
  isLeft: boolean
  /** On which side of which compaction it is, or `at` for the compaction itself; 0 if there is none. */
  side: 'before' | 'at' | 'after'
  compaction: number
}

/** Returns where an entry is, for a reader. @param entries the number of entries of the branch */
export function describeLocation({ number, isLeft, side, compaction }: Location, entries: number): string {
  if (isLeft) return `entry ${number} of the file, on a branch that was left`
  const at = `entry ${number} of ${entries}`
  if (compaction === 0) return at
  return `${at}, ${side === 'at' ? '' : `${side} `}the ${ordinal(compaction)} compaction`
}

const ordinal = (number: number): string => {
  const tens = Math.floor(number / 10) % 10
  return `${number}${tens === 1 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')}`
}
