/** Requests are kept word for word up to this length. */
export const REQUEST_CHARACTERS = 500

/** A text on one line. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The beginning of a text, word for word: nothing is put in the place of what is cut. */
export const beginning = (text: string, maxCharacters: number): string =>
  text
    .trim()
    .slice(0, maxCharacters)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()

/** Cuts a text to so many characters, at a word where one ends nearby and never inside a surrogate pair. */
export function shorten(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  const head = text.slice(0, maxCharacters - 1).replace(/[\uD800-\uDBFF]$/, '')
  const space = head.lastIndexOf(' ')
  return `${space > maxCharacters * 0.8 ? head.slice(0, space) : head}…`
}
/** Puts U+FFFD in the place of surrogates without a partner: they make a JSON body that servers refuse. */
export function replaceLoneSurrogates(text: string): string {
  // With the flag `u`, a surrogate that is part of a pair is no character of its own and does not match.
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}
