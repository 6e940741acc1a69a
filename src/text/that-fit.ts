/** Returns the first items that fit into a room together, up to the first one that does not. */
export function firstThatFit<T>(items: readonly T[], room: number, sizeOf: (item: T) => number): T[] {
  let left = room
  const end = items.findIndex((item) => (left -= sizeOf(item)) < 0)
  return items.slice(0, end < 0 ? undefined : end)
}

/** Returns the items that fit into a room together: one that does not is passed over. */
export function eachThatFits<T>(items: readonly T[], room: number, sizeOf: (item: T) => number): T[] {
  let left = room
  return items.filter((item) => {
    const size = sizeOf(item)
    if (size > left) return false
    left -= size
    return true
  })
}
