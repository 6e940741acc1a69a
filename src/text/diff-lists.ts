import { diffArrays } from 'diff'

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
  isEqual: (left: T, right: T) => boolean = (left, right) => left === right,
): Difference<T>[] {
  const changes = diffArrays([...before], [...after], { comparator: isEqual, maxEditLength: MAX_EDITS }) ?? [
    { removed: true, added: false, value: before },
    { removed: false, added: true, value: after },
  ]
  return changes.flatMap(({ removed, added, value }) => {
    const kind = removed ? 'removed' : added ? 'added' : 'same'
    return value.map((item) => ({ kind, item }) as const)
  })
}
