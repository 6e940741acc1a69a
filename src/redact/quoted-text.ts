/** The number of characters in which the end of a quoted value is searched. */
const QUOTED_CHARACTERS = 1_000

/** Returns where a quoted value ends: at the same quote, as often escaped; -1 if not on this line. */
export function closeOf(text: string, start: number, quote: string): number {
  if (quote === '') return -1
  const escapes = quote.length - 1
  const sign = quote.slice(-1)
  const part = text.slice(start, start + QUOTED_CHARACTERS)
  for (let at = part.indexOf(sign); at >= 0; at = part.indexOf(sign, at + 1)) {
    let backslashes = 0
    while (part.charAt(at - backslashes - 1) === '\\') backslashes += 1
    if (backslashes <= escapes) return part.slice(0, at).includes('\n') ? -1 : start + at - backslashes
  }
  return -1
}
