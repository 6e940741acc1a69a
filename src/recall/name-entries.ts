/** The name of an entry whose id has a secret, before its number among the entries. */
const NUMBERED = 'redacted-id-'

const LIKE_NUMBERED = new RegExp(`^${NUMBERED}\\d+$`)

/**
 * Returns what look-ups call the entries of a session, in their order: by their ids. One whose id is a secret, or contains one, has
 * its number instead, so that it can still be looked up. An id that looks like such a name is replaced too.
 * @param redact replaces the secrets in a text
 */
export const nameEntries = (ids: readonly string[], redact: (text: string) => string): string[] =>
  ids.map((id, place) => (LIKE_NUMBERED.test(id) || redact(id) !== id ? `${NUMBERED}${place + 1}` : id))

/** Returns the first place of each name, and of each id that is no name of another entry. */
export function placesByName(
  names: readonly string[],
  entries: readonly { id: string }[],
): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  for (const [place, name] of names.entries()) if (!places.has(name)) places.set(name, place)
  for (const [place, { id }] of entries.entries()) if (!places.has(id)) places.set(id, place)
  return places
}
