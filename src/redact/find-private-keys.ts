import type { Secret } from './find-assigned-secrets.ts'

/** PEM (RFC 7468), OpenSSH and PGP (RFC 9580): the label says that what follows is private. */
const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g
const END = /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g

/** The largest keys in use take some 13,000 characters. */
const MAX_CHARACTERS = 16_000

/** What a key is written in, line ends as they come in JSON included; the first thing that is none ends a key cut off. */
const KEY_TEXT = /^(?:[A-Za-z0-9+/=\s]|\\[nr]|[A-Za-z-]{1,30}: [^\n\\]{1,100}|\[\.{3}[^\]\n]{0,60}\])*/

/** Finds private keys, short ones and those cut off included. Linear: what is within a key begins none. */
export function findPrivateKeys(text: string): Secret[] {
  if (!text.includes('PRIVATE KEY')) return []
  const ends = Array.from(text.matchAll(END), (match) => match.index + match[0].length)
  const keys: Secret[] = []
  let next = 0
  for (const match of text.matchAll(BEGIN)) {
    if (match.index < (keys.at(-1)?.end ?? 0)) continue
    const bodyStart = match.index + match[0].length
    while (next < ends.length && (ends[next] ?? 0) < bodyStart) next += 1
    const end = ends[next]
    const isWhole = end !== undefined && end - bodyStart <= MAX_CHARACTERS
    keys.push({ start: match.index, end: isWhole ? end : endOfKeyText(text, bodyStart), kind: 'private-key' })
  }
  return keys
}

function endOfKeyText(text: string, start: number): number {
  const body = KEY_TEXT.exec(text.slice(start, start + MAX_CHARACTERS))?.[0] ?? ''
  return start + body.trimEnd().length
}
