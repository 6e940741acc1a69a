const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'

/** Fixed pseudo-random text of several alphabets, so that no real secret stands in this repository. */
export interface Random {
  alnum: (length: number) => string
  lower: (length: number) => string
  letters: (length: number) => string
  upper: (length: number) => string
  digits: (length: number) => string
  hex: (length: number) => string
  base64: (length: number) => string
  base64url: (length: number) => string
  uuid: () => string
}

/** Returns a source of text that is the same for the same seed. The generator is Tommy Ettinger's mulberry32. */
export function createRandom(seed: string): Random {
  let state = Array.from(seed).reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), 0x811c9dc5)
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const from = (alphabet: string) => (length: number) =>
    Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join('')
  const hex = from(`${DIGITS}abcdef`)
  return {
    alnum: from(LOWER + UPPER + DIGITS),
    lower: from(LOWER + DIGITS),
    letters: from(LOWER + UPPER),
    upper: from(UPPER + DIGITS),
    digits: from(DIGITS),
    hex,
    base64: from(`${LOWER}${UPPER}${DIGITS}+/`),
    base64url: from(`${LOWER}${UPPER}${DIGITS}-_`),
    uuid: () => [8, 4, 4, 4, 12].map((length) => hex(length)).join('-'),
  }
}
