import { findAssignedSecrets, type Secret, SECRET_NAMES, type SecretName } from './assigned-secrets.ts'
import { type Rule, PLACE_RULES, TOKEN_RULES } from './rules.ts'
import { createWordFinder } from '../text/find-words.ts'

/** What has been replaced already is no secret. */
const REPLACED = /^\[?redacted:/

/**
 * Replaces secrets by `[redacted:KIND]`: the same again changes nothing. Linear on any text.
 * @returns the same string where there is none, and how many were replaced
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

/** Where two rules find the same, the first one to begin names it, and the more certain one of two that begin together. */
function replace(text: string, secrets: Secret[]): { text: string; redactions: number } {
  const inOrder = secrets.map((secret, certainty) => ({ ...secret, certainty }))
  inOrder.sort((a, b) => a.start - b.start || a.certainty - b.certainty)
  const parts: string[] = []
  let at = 0
  let redactions = 0
  for (const { start, end, kind } of inOrder) {
    if (start < at) {
      // What another rule found of it reaches further: none of it may be left.
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

/** What there is to look for in a text. */
interface Hints {
  /** The rules whose hints are there at all, in order. */
  rules: readonly Rule[]
  /** Names whose value may be a secret. */
  names: readonly SecretName[]
}

/** Most texts have no hint at anything: one pass tells that. */
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

/** PEM (RFC 7468), OpenSSH and PGP (RFC 9580): the label says that what follows is private. */
const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g
const END = /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g

/** The largest keys in use take some 13,000 characters. */
const MAX_CHARACTERS = 16_000

/** What a key is written in, line ends as they come in JSON included; the first thing that is none ends a key cut off. */
const KEY_TEXT = /^(?:[A-Za-z0-9+/=\s]|\\[nr]|[A-Za-z-]{1,30}: [^\n\\]{1,100}|\[\.{3}[^\]\n]{0,60}\])*/

/** Finds private keys, short ones and those cut off included. Linear: what is within a key begins none. */
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
    const isWhole = end !== undefined && end - bodyStart <= MAX_CHARACTERS
    keys.push({ start: match.index, end: isWhole ? end : endOfKeyText(text, bodyStart), kind: 'private-key' })
  }
  return keys
}

function endOfKeyText(text: string, start: number): number {
  const body = KEY_TEXT.exec(text.slice(start, start + MAX_CHARACTERS))?.[0] ?? ''
  return start + body.trimEnd().length
}
