/** A part of a text, by its offsets. */
export interface Span {
  start: number
  end: number
}

/** Returns the match of a sticky pattern at a place; undefined if it does not match there. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

/** Returns where the match of a sticky pattern at a place ends; undefined if it does not match there. */
export function endAt(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/** Returns the end of a sticky pattern that is repeated from here on; the same place if it does not match. */
export function endOfRun(pattern: RegExp, text: string, at: number): number {
  let end = at
  for (let next = endAt(pattern, text, end); next !== undefined; next = endAt(pattern, text, end)) end = next
  return end
}

/** Returns the first line of a text. */
export function lineIn(text: string): string {
  const end = text.indexOf('\n')
  return end < 0 ? text : text.slice(0, end)
}

export const endOf = (match: RegExpExecArray): number => match.index + match[0].length

/** The characters of Base64, of addresses too. */
export const BASE64_RUN = /[A-Za-z0-9+/=_-]{1,10000}/y

/** The end of a text that ends within the replacement of a secret. */
export const OPEN_REPLACEMENT = /\[redacted:[a-z-]{0,20}$/

const IN_WORD = /[A-Za-z0-9_-]/

/** Patterns with a limit may end inside a secret that is longer: all of it is replaced. */
export const endOfSecret = (text: string, end: number, run: RegExp): number =>
  IN_WORD.test(text.charAt(end - 1)) ? endOfRun(run, text, end) : end

/**
 * Signs that end in a letter, a digit or a hyphen, and are not part of a word: escapes, colours, percent codes, diff marks, and
 * options of one letter, whose value may follow at once.
 */
const ESCAPE_BEFORE =
  /(?:\\[abefnrtv0]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\[[\d;]{0,12}m|%[0-9A-Fa-f]{2}|(?:^|\n|\\n)[-+]|→-|[ \t"']-[A-Za-z])$/

/** Returns whether a token may begin here: `task-1` is not a token that begins with `sk-`, `\nsk-1` is. */
export function isTokenStart(text: string, at: number): boolean {
  const last = text.charAt(at - 1)
  if (!IN_WORD.test(last)) return true
  // A pattern for each word would take longer than all else.
  const mayBeEscape =
    last === 'm' ||
    last === '-' ||
    text.charAt(at - 2) === '-' ||
    text.charAt(at - 3) === '%' ||
    [at - 2, at - 4, at - 6].some((place) => text.charAt(place) === '\\')
  return mayBeEscape && ESCAPE_BEFORE.test(text.slice(Math.max(0, at - 16), at))
}

/** A quote of a string, also as a text in a text escapes it; a part of a pattern. */
export const QUOTE = String.raw`\\{0,3}["']`

/** White space, also an escaped line end; a part of a pattern. */
export const BLANK = String.raw`(?:\s|\\{1,4}n)`

/** A UUID (RFC 9562) in lower case; a part of a pattern. */
export const UUID_FORM = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** Returns the bytes of Base64 as characters. */
export const decodeBase64 = (text: string): string => Buffer.from(text, 'base64').toString('latin1')

/** The number of characters in which the end of a quoted value is searched. */
const QUOTED_CHARACTERS = 1_000

/** Returns where a quoted value ends: at the same quote, as often escaped; undefined if not on this line. */
export function closeOf(text: string, start: number, quote: string): number | undefined {
  if (quote === '') return undefined
  const escapes = quote.length - 1
  const sign = quote.slice(-1)
  const part = text.slice(start, start + QUOTED_CHARACTERS)
  for (let at = part.indexOf(sign); at >= 0; at = part.indexOf(sign, at + 1)) {
    let backslashes = 0
    while (part.charAt(at - backslashes - 1) === '\\') backslashes += 1
    if (backslashes <= escapes) return part.slice(0, at).includes('\n') ? undefined : start + at - backslashes
  }
  return undefined
}
