import { decode, encode } from 'gpt-tokenizer/encoding/o200k_base'

/** The tokenizer's time grows with the square of a word's length, so it gets short slices only. */
const SLICE_CHARACTERS = 1024

/**
 * Finds the token boundaries of o200k.
 * @returns for each UTF-16 unit the number of tokens that end with it; the tokens of a character that has several are
 * counted at its end
 */
export function findBoundaries(text: string): Uint8Array {
  const ends = new Uint8Array(text.length)
  for (let at = 0; at < text.length;) {
    const slice = text.slice(at, nextCut(text, at))
    markEnds(slice, ends.subarray(at, at + slice.length))
    at += slice.length
  }
  return ends
}

/**
 * Returns the place of the next cut: after a line if there is one, since a token rarely continues after it, and never
 * inside a surrogate pair.
 */
function nextCut(text: string, from: number): number {
  const to = from + SLICE_CHARACTERS
  if (to >= text.length) return text.length
  const line = text.lastIndexOf('\n', to)
  const cut = line > from ? line + 1 : to
  return /[\uDC00-\uDFFF]/.test(text[cut] ?? '') ? cut - 1 : cut
}

function markEnds(text: string, ends: Uint8Array): void {
  let at = 0
  let pending: number[] = []
  for (const token of encode(text, { disallowedSpecial: new Set() })) {
    pending.push(token)
    const piece = decode(pending)
    // A part of a character's bytes: the next tokens have the rest.
    if (piece.includes('\uFFFD')) continue
    at += piece.length
    ends[at - 1] = pending.length
    pending = []
  }
  if (pending.length > 0 && ends.length > 0) ends[ends.length - 1] = pending.length
}
