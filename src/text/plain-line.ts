/** The largest length of a line, in UTF-16 units. */
export const MAX_LINE_CHARACTERS = 200

/** The pattern of a line of plain text that can be in a summary: it opens no tag, heading, list, quote or fence. */
export const PLAIN_LINE = '^(?![\\s#>`~=|*+-])[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029<]+$'

const plainLine = new RegExp(PLAIN_LINE)

/** Returns whether a text is such a line. */
export const isPlainLine = (text: string): boolean => text.length <= MAX_LINE_CHARACTERS && plainLine.test(text)
