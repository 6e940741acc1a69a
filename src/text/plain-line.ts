/** The largest length of a line, in UTF-16 units. */
export const MAX_LINE_CHARACTERS = 200

/**
 * Characters of Unicode's first plane that a reader does not see, or that change the order of the others: those of
 * `Default_Ignorable_Code_Point` and `Bidi_Control`, and interlinear annotations. A JSON schema has no names for them.
 */
const UNSEEN = String.raw`\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb`

/** The same of the other planes: formats of hieroglyphs, shorthand and music, and all that begin with these four surrogates. */
const UNSEEN_PAIRS = String.raw`(?!\ud80d[\udc30-\udc3f]|\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]|[\udb40-\udb43])`

/** The pattern of a line of plain text that can be in a summary: it opens no tag, heading, list, quote or fence, and shows all it has. */
export const PLAIN_LINE = String.raw`^(?![\s#>${'`'}~=|*+-])(?:${UNSEEN_PAIRS}[^\u0000-\u001f\u007f-\u009f\u2028\u2029<${UNSEEN}])+$`

const plainLine = new RegExp(PLAIN_LINE)

/** Returns whether a text is such a line. */
export const isPlainLine = (text: string): boolean => text.length <= MAX_LINE_CHARACTERS && plainLine.test(text)
