import { createWordFinder } from '../text/find-in-text.ts'
import type { Rule, Secret } from './rule.ts'

/** A rule by one of its hints. */
interface Hint {
  hint: string
  rule: Rule
  /** The place of the rule among all. */
  certainty: number
}

interface FoundSecret extends Secret {
  certainty: number
}

/**
 * Returns a function that finds the secrets of a text, the more certain ones first. Each rule is tried only where one of
 * its hints stands: one pass finds them, and most texts have few.
 * @param rules the more certain ones first
 */
export function createFinder(rules: readonly Rule[]): (text: string) => Secret[] {
  const hints = hintsOf(rules)
  const findWords = createWordFinder([...hints.keys()])
  return (text) => {
    const secrets: FoundSecret[] = []
    const searchedTo = new Map<Rule, number>()
    findWords(text, (word, start) => {
      for (const { hint, rule, certainty } of hints.get(word) ?? []) {
        const from = searchedTo.get(rule) ?? 0
        if (start < from || !(rule.isAnyCase || text.startsWith(hint, start))) continue
        const found = rule.find(text, start, from)
        for (const secret of found) secrets.push({ ...secret, certainty })
        searchedTo.set(rule, Math.max(start + 1, found.at(-1)?.end ?? 0))
      }
    })
    return secrets.sort((a, b) => a.certainty - b.certainty)
  }
}

/** Returns the rules by their hints in lower case. */
function hintsOf(rules: readonly Rule[]): Map<string, Hint[]> {
  const hints = new Map<string, Hint[]>()
  for (const [certainty, rule] of rules.entries())
    for (const hint of rule.hints) {
      const word = hint.toLowerCase()
      hints.set(word, [...(hints.get(word) ?? []), { hint, rule, certainty }])
    }
  return hints
}
