import { firstIndex } from '../text/first-index.ts'

/** A shorter beginning would fit too many ids. */
const MIN_ID_CHARACTERS = 8

/** Ids up to this length are written whole: little would be saved. */
const WHOLE_ID_CHARACTERS = 12

/** A beginning of any other id could be cut inside a character. */
export const PLAIN_ID = /^[\w@%+=:./#-]+$/

/** The ids of a session by their beginnings: a reader needs no more of a long id than what tells it from the others. */
export class ShortIds {
  readonly #sorted: readonly string[]

  constructor(ids: readonly string[]) {
    this.#sorted = [...new Set(ids)].sort()
  }

  /** Returns the shortest beginning of an id, of at least 8 characters, that no other id has. */
  shorten(id: string): string {
    if (id.length <= WHOLE_ID_CHARACTERS || !PLAIN_ID.test(id)) return id
    const at = this.#firstFrom(id)
    const shared = Math.max(commonLength(id, this.#sorted[at - 1]), commonLength(id, this.#sorted[at + 1]))
    return id.slice(0, Math.max(MIN_ID_CHARACTERS, shared + 1))
  }

  /** Returns the ids that begin with a text; none for a text of less than 8 characters. */
  beginningWith(text: string): string[] {
    if (text.length < MIN_ID_CHARACTERS) return []
    const first = this.#firstFrom(text)
    let end = first
    while (this.#sorted[end]?.startsWith(text) === true) end += 1
    return this.#sorted.slice(first, end)
  }

  /** Returns the position of the first id that is not before a text. */
  #firstFrom(text: string): number {
    return firstIndex(this.#sorted.length, (at) => (this.#sorted[at] ?? '') < text)
  }
}

/** Returns how many characters two texts have in common at their beginning. */
export function commonLength(one: string, other = ''): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}
