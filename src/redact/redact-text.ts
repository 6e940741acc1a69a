import { findAssignedSecrets, type Secret, SECRET_NAMES, type SecretName } from './assigned-secrets.ts'
import { type Rule, PLACE_RULES, TOKEN_RULES } from './rules.ts'
import { createWordFinder } from '../text/find-in-text.ts'

/**
 * Returns a text with its secrets replaced by `[redacted:KIND]`, in linear time. Redacting the result again changes
 * nothing.
 * @returns the same string where it has no secret, and the number of replaced secrets
 */
export function redactText(text: string): { text: string; redactions: number } {
  const { rules, names } = findHints(text)
  const secrets = [
    ...findPrivateKeys(text),
    ...rules.flatMap((rule) => findByRule(text, rule)),
    ...findAssignedSecrets(text, names),
  ]
  return secrets.length === 0 ? { text, redactions: 0 } : replace(text, secrets)
}

function findByRule(text: string, { kind, pattern }: Rule): Secret[] {
  return Array.from(text.matchAll(pattern), (match) => {
    const { secret } = match.groups ?? {}
    const start = secret === undefined ? match.index : match.index + match[0].lastIndexOf(secret)
    return { start, end: start + (secret ?? match[0]).length, kind }
  })
}

/** A secret that was replaced before. */
const REPLACED = /^\[?redacted:/

/**
 * Where secrets overlap, the one that begins first names the kind; of two that begin together, the more certain one.
 */
function replace(text: string, secrets: Secret[]): { text: string; redactions: number } {
  const inOrder = secrets.map((secret, certainty) => ({ ...secret, certainty }))
  inOrder.sort((a, b) => a.start - b.start || a.certainty - b.certainty)
  const parts: string[] = []
  let at = 0
  let redactions = 0
  for (const { start, end, kind } of inOrder) {
    if (start < at) {
      // The overlapping secret may end later: all of it is replaced.
      at = Math.max(at, end)
      continue
    }
    if (REPLACED.test(text.slice(start, start + 12))) continue
    parts.push(text.slice(at, start), `[redacted:${kind}]`)
    redactions += 1
    at = end
  }
  return redactions === 0 ? { text, redactions } : { text: parts.join('') + text.slice(at), redactions }
}

const RULES = [...TOKEN_RULES, ...PLACE_RULES]
const NAMES = new Set(SECRET_NAMES)

const findWords = createWordFinder([...RULES.flatMap(({ hints }) => hints), ...NAMES])

/** What a text may contain: the rules that can match, and the names of secrets. */
interface Hints {
  /** The rules of which a hint is in the text, in their order. */
  rules: readonly Rule[]
  /** The names whose value may be a secret. */
  names: readonly SecretName[]
}

/** Finds the hints of a text in one pass: most texts have none, and need no further search. */
function findHints(text: string): Hints {
  const found = new Set<string>()
  const names: SecretName[] = []
  findWords(text, (word, start) => {
    if (NAMES.has(word)) names.push({ word, start })
    else if (text.startsWith(word, start)) found.add(word)
  })
  const rules = found.size === 0 ? [] : RULES.filter(({ hints }) => hints.some((hint) => found.has(hint)))
  return { rules, names }
}

/** The label of a private key in PEM (RFC 7468), OpenSSH and PGP (RFC 9580). */
const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g
const END = /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g

/** The largest keys in use have about 13,000 characters. */
const MAX_KEY_CHARACTERS = 16_000

/**
 * The characters of a key, with line ends as JSON escapes them, and the note of a cut. Any other ends a key that was
 * cut.
 */
const KEY_TEXT = /^(?:[A-Za-z0-9+/=\s]|\\[nr]|[A-Za-z-]{1,30}: [^\n\\]{1,100}|\[\.{3}[^\]\n]{0,60}\])*/

/** Finds private keys, including short ones and those that were cut. Linear: no key begins inside another. */
function findPrivateKeys(text: string): Secret[] {
  if (!text.includes('PRIVATE KEY')) return []
  const ends = Array.from(text.matchAll(END), (match) => match.index + match[0].length)
  const keys: Secret[] = []
  let next = 0
  for (const match of text.matchAll(BEGIN)) {
    if (match.index < (keys.at(-1)?.end ?? 0)) continue
    const bodyStart = match.index + match[0].length
    while (next < ends.length && (ends[next] ?? 0) < bodyStart) next += 1
    const end = ends[next]
    const isWhole = end !== undefined && end - bodyStart <= MAX_KEY_CHARACTERS
    keys.push({ start: match.index, end: isWhole ? end : endOfKeyText(text, bodyStart), kind: 'private-key' })
  }
  return keys
}

function endOfKeyText(text: string, start: number): number {
  const body = KEY_TEXT.exec(text.slice(start, start + MAX_KEY_CHARACTERS))?.[0] ?? ''
  return start + body.trimEnd().length
}
