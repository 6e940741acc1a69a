import type { Random } from './random.ts'

/** A text, and the secrets in it. */
export type Written = [text: string, ...secrets: string[]]

/** Texts with a secret in the place of `*`. */
export const from = (texts: readonly string[], make: (r: Random) => string) => (r: Random) =>
  texts.map((text): Written => {
    const secret = make(r)
    return [text.replace('*', () => secret), secret]
  })

const WORDS = 'walnut heron maple cedar orchid saffron lantern pepper tundra falcon bishop nickel'.split(' ')

/** A word that people choose. */
export const pick = (r: Random): string => WORDS[Number(`0x${r.hex(2)}`) % WORDS.length] ?? ''
export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Passwords as programs generate them. */
export const password = (r: Random): string => `${r.letters(1)}${r.alnum(6)}4${r.letters(1)}8${r.alnum(3)}7`
export const generated = (r: Random): string => `${r.letters(1)}${r.alnum(6)}4${r.letters(1)}8${r.alnum(5)}7`
