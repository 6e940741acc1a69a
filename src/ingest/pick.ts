/** Those of a value's fields that are there. */
export function pick(raw: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  for (const name of names) if (raw[name] !== undefined) picked[name] = raw[name]
  return picked
}
