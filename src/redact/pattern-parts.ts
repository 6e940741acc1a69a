/** A quote of a string, also as a text in a text escapes it; a part of a pattern. */
export const STRING_QUOTE = String.raw`\\{0,3}["']`

/** White space, also an escaped line end; a part of a pattern. */
export const STRING_BLANK = String.raw`(?:\s|\\{1,4}n)`
