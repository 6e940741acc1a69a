import { findAssignedSecrets, type Secret } from './find-assigned-secrets.ts'
import { findHints } from './find-hints.ts'
import { findPrivateKeys } from './find-private-keys.ts'
import type { Rule } from './rules.ts'

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
