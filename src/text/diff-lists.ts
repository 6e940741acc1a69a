// The whole package would be a third of what the page loads for a comparison.
import { diffArrays } from 'diff/lib/diff/array.js'

/** What is in one of two versions, or in both. */
export interface Difference<T> {
  kind: 'same' | 'added' | 'removed'
  item: T
}

/** Time grows with the square of the differences: lists with more of them are shown one after the other. */
const MAX_EDITS = 2000

/** Returns the items of two lists, with those that only one of them has; of equal ones, that of the second list. */
export function diffLists<T>(
  before: readonly T[],
  after: readonly T[],
  {
    isEqual = (left, right) => left === right,
    maxEdits = MAX_EDITS,
  }: { isEqual?: (left: T, right: T) => boolean; maxEdits?: number } = {},
): Difference<T>[] {
  const changes = diffArrays([...before], [...after], { comparator: isEqual, maxEditLength: maxEdits }) ?? [
    { removed: true, added: false, value: before },
    { removed: false, added: true, value: after },
  ]
  return changes.flatMap(({ removed, added, value }) => {
    const kind = removed ? 'removed' : added ? 'added' : 'same'
    return value.map((item) => ({ kind, item }) as const)
  })
}
