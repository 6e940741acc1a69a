/** Characters that control a terminal, or change the order in which it shows the others (Unicode's `Bidi_Control`). */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu

/** Of them, those that JSON text may have: in its strings only. */
const CONTROLS_IN_JSON = /[\u007f-\u009f\p{Bidi_Control}]/gu

/**
 * Returns a text of a session without control characters, which could move the cursor, change the title of a terminal, or let
 * text look like other text. Line ends and tabs stay.
 */
export const withoutControls = (text: string): string =>
  text.replace(CONTROLS, (character) => (character === '\n' || character === '\t' ? character : ''))

/** Returns JSON text with the same values, in which control characters are escaped. */
export const escapeControls = (json: string): string =>
  json
    // Between two values, a carriage return is white space; inside a string, it is escaped already.
    .replaceAll('\r', '')
    .replace(CONTROLS_IN_JSON, escapeUnit)

/** Returns a UTF-16 unit as JSON escapes it. */
export const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Returns a text as one word of a POSIX shell, in quotes only where it needs them. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quote(text))

/** Returns a text as one word of a POSIX shell in quotes; with control characters, of bash, zsh and ksh. */
export function quote(text: string): string {
  if (text.search(CONTROLS) === -1) return `'${text.replaceAll("'", "'\\''")}'`
  const bytes = Array.from(new TextEncoder().encode(text))
  const isPlain = (byte: number): boolean => byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c
  const writeByte = (byte: number): string =>
    isPlain(byte) ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`
  // In `\xHH`, bash reads at most two digits, whatever follows.
  return `$'${bytes.map(writeByte).join('')}'`
}
