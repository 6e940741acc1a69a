/** Up to this length, requests of users stay word for word. */
export const REQUEST_CHARACTERS = 500

/** Returns a text on one line, with each run of white space as one space. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Returns the beginning of a text, word for word and without a mark for the rest. */
export const beginning = (text: string, maxCharacters: number): string =>
  text
    .trim()
    .slice(0, maxCharacters)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()

/**
 * Returns a text cut to a number of characters, at the end of a word where one is near and never inside a surrogate
 * pair.
 */
export function shorten(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  const head = text.slice(0, maxCharacters - 1).replace(/[\uD800-\uDBFF]$/, '')
  const space = head.lastIndexOf(' ')
  return `${space > maxCharacters * 0.8 ? head.slice(0, space) : head}…`
}

/** Returns a text with U+FFFD in the place of lone surrogates: servers reject a JSON body that has one. */
export function replaceLoneSurrogates(text: string): string {
  // With the flag `u`, a surrogate pair is one character, and its halves do not match.
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}
