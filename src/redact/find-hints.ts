import { createWordFinder } from '../words/find-words.ts'
import { SECRET_NAMES, type SecretName } from './find-assigned-secrets.ts'
import { PLACE_RULES, TOKEN_RULES, type Rule } from './rules.ts'

const RULES = [...TOKEN_RULES, ...PLACE_RULES]
const NAMES = new Set(SECRET_NAMES)

const findWords = createWordFinder([...RULES.flatMap(({ hints }) => hints), ...NAMES])

/** What there is to look for in a text. */
export interface Hints {
  /** The rules whose hints are there at all, in order. */
  rules: readonly Rule[]
  /** Names whose value may be a secret. */
  names: readonly SecretName[]
}

/** Most texts have no hint at anything: one pass tells that. */
export function findHints(text: string): Hints {
  const found = new Set<string>()
  const names: SecretName[] = []
  findWords(text, (word, start) => {
    if (NAMES.has(word)) names.push({ word, start })
    else if (text.startsWith(word, start)) found.add(word)
  })
  const rules = found.size === 0 ? [] : RULES.filter(({ hints }) => hints.some((hint) => found.has(hint)))
  return { rules, names }
}
