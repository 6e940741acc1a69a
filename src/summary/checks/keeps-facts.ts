import { estimateTextTokens } from '../../tokens/estimate-tokens.ts'
import type { Findings } from './inspect-summary.ts'

/** The minimum length of a second draft: a shorter one has lost more than words. */
const MIN_LENGTH_SHARE = 0.7

/**
 * The minimum share of the facts of the first draft that the second one has. Not all of them: of ten facts that it had
 * twice, a good rewrite may leave out the second mention in other words (`12` and `twelve`).
 */
const MIN_FACT_SHARE = 0.9

/**
 * Whether a second draft is a repair of the first one, and not a poorer text with fewer faults: it has 70 % of the length,
 * and 90 % of the paths, commands, numbers and quotes. Facts that the input does not have may be missing. If the first
 * draft is over its limit, both shares are those of a text within the limit.
 */
export function keepsFacts(first: Draft, second: Pick<Draft, 'text'>): boolean {
  const tokens = estimateTextTokens(first.text)
  const limitTokens = first.findings.size?.limitTokens ?? tokens
  const expectedTokens = Math.min(tokens, limitTokens)
  if (estimateTextTokens(second.text) < expectedTokens * MIN_LENGTH_SHARE) return false
  const unknown = first.findings.grounding?.unknown ?? []
  const facts = findFacts(first.text).filter((fact) => !unknown.some((text) => fact.includes(text)))
  const plain = withoutSpaces(second.text)
  // A number must not be a part of another one.
  const numbers = new Set(second.text.match(/\d[\d.,:]{0,20}\d/g))
  const kept = facts.filter((fact) =>
    /^[\d.,:]+$/.test(fact) ? numbers.has(fact) : plain.includes(withoutSpaces(fact)),
  )
  return kept.length >= facts.length * MIN_FACT_SHARE * (expectedTokens / Math.max(1, tokens))
}

interface Draft {
  text: string
  findings: Findings
}

const withoutSpaces = (text: string): string => text.replace(/\s+/g, ' ')

/** The maximum number of facts that are compared: each is looked up in the whole second draft. */
const MAX_FACTS = 500

/** Inline code, quotes, paths and numbers. A single digit may be that of a list, and a long quote is several facts. */
const FACTS = [
  /`[^`\n]{2,200}`/g,
  /["“][^"“”\n]{4,200}["”]/g,
  /[\w@.+~-]{1,100}(?:\/[\w@.+~-]{1,100}){1,20}/g,
  /\d[\d.,:]{0,20}\d/g,
]

function findFacts(text: string): string[] {
  const facts = new Set<string>()
  let rest = text
  for (const pattern of FACTS) {
    for (const [match] of rest.matchAll(pattern)) {
      const fact = match.replace(/^[`"“]|[`"”]$/g, '').trim()
      if (fact !== '' && facts.size < MAX_FACTS) facts.add(fact)
    }
    // A number in a path is no fact of its own.
    rest = rest.replace(pattern, ' ')
  }
  return [...facts]
}
