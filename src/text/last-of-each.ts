/** Returns items without those that a later one with the same key replaces, each at the place of its last mention. */
export function lastOfEach<T>(items: Iterable<T>, keyOf: (item: T) => string): T[] {
  const last = new Map<string, T>()
  for (const item of items) {
    const key = keyOf(item)
    last.delete(key)
    last.set(key, item)
  }
  return [...last.values()]
}
