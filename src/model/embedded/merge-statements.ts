/** Two statements are the same whatever their list mark, case, emphasis and white space. */
const keyOf = (statement: string): string =>
  statement
    .replace(/^(?:[-*+]|\d+\.)\s+/, '')
    .replace(/^\[[ xX]\]\s*/, '')
    .replace(/[*_`"'.]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

/** Joins two lists of statements, older first; what stands in both stands once, as it was said last. */
export function mergeStatements(before: readonly string[], after: readonly string[]): string[] {
  const merged = new Map<string, string>()
  for (const statement of [...before, ...after]) {
    const key = keyOf(statement)
    if (key === '') continue
    merged.delete(key)
    merged.set(key, statement)
  }
  return [...merged.values()]
}
