/**
 * The classes of UTF-16 units that the token estimate tells apart: each unit of ASCII is its own; white space and control
 * characters that follow their like are others, since tokenizers take runs of them together; scripts share the rest.
 */
export const CLASSES = 192

/** Set in the class of a unit that goes on a run. */
export const RUN = 0x80

/** Space and what stands before it in ASCII may run. */
export const LAST_RUNNING = 0x20

/** Where scripts begin, so that none of them looks like a run. */
const FIRST_SCRIPT_CLASS = RUN + LAST_RUNNING + 1

/** First units of the ranges of scripts, in order; each is a class. */
const RANGES = [
  0x80, // signs of Latin-1
  0xc0, // Latin letters with marks
  0x180,
  0x300, // combining marks
  0x370, // Greek
  0x400, // Cyrillic capitals
  0x430, // Cyrillic
  0x530, // Armenian
  0x590, // Hebrew
  0x600, // Arabic
  0x700,
  0x900, // Devanagari
  0x980, // the other scripts of India
  0xe00, // Thai, Lao
  0xf00,
  0x10a0, // Georgian
  0x1100, // Hangul letters
  0x1200,
  0x2000, // punctuation
  0x2190, // arrows, signs
  0x2500, // boxes
  0x2600, // dingbats
  0x3000, // CJK punctuation
  0x3040, // Hiragana
  0x30a0, // Katakana
  0x3100,
  0x4e00, // CJK ideographs
  0xac00, // Hangul
  0xd800, // high surrogates
  0xdc00, // low surrogates
  0xe000,
] as const

/** The class of each UTF-16 unit that goes on no run. */
export const CLASS_OF: Uint8Array = buildClasses()

function buildClasses(): Uint8Array {
  const classes = new Uint8Array(0x10000)
  for (let unit = 0; unit < RANGES[0]; unit++) classes[unit] = unit
  for (const [index, start] of RANGES.entries()) classes.fill(FIRST_SCRIPT_CLASS + index, start)
  return classes
}
