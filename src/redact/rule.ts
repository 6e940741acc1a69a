import { createWordFinder } from '../text/find-in-text.ts'
import { BASE64_RUN, endOf, endOfSecret, matchAt, type Span } from './scan.ts'

/** A part of a text that is a secret. */
export interface Secret extends Span {
  /** Stands in the replacement: `[redacted:KIND]`. */
  kind: string
  /** The text that it reads as, where the text has signs or escapes in it. */
  value?: string
}

/** How one kind of secret is found. */
export interface Rule {
  /** Literal texts, one of which stands in or beside every secret. They are searched first, since that is fast. */
  hints: readonly string[]
  /** Whether hints count in any case of their letters. */
  isAnyCase: boolean
  /**
   * Returns the secrets at a place where a hint begins. The time depends only on what it replaces, or is limited.
   * @param from where the search of this rule may look back to: the end of what it has searched or replaced before
   */
  find: (text: string, at: number, from: number) => readonly Secret[]
}

/** Decides about what a pattern has matched. */
export type Judge = (secret: string, match: RegExpExecArray) => boolean

/**
 * A rule as a pattern of what follows a hint; one that begins by looking behind is tried where the hint begins. The secret
 * is its group `secret`, or the whole match. Every quantifier has an upper limit: V8 keeps a stack for each repetition, and
 * throws a RangeError after some million.
 */
export type PatternRow = readonly [hints: string, pattern: RegExp | string, accepts?: Judge]

const LOOKS_BEHIND = /^\(\?<[=!]/

/** How much of a secret decides whether it is one. */
export const JUDGED_CHARACTERS = 120

/**
 * Returns the rules of a table, by the kinds of their secrets.
 * @param table hints are separated by `|`; they count in any case of their letters where the pattern does, as all texts do
 */
export const rulesOf = (table: Record<string, readonly PatternRow[]>): Rule[] =>
  Object.entries(table).flatMap(([kind, rows]) => rows.map((row) => ruleOf(kind, row)))

function ruleOf(kind: string, [hints, source, accepts]: PatternRow): Rule {
  const isAnyCase = typeof source === 'string' || source.ignoreCase
  const rest = typeof source === 'string' ? source : source.source
  const words = hints.replaceAll(/[.+?^$(){}[\]\\/*]/g, '\\$&')
  const pattern = new RegExp(LOOKS_BEHIND.test(rest) ? rest : `(?:${words})${rest}`, isAnyCase ? 'diy' : 'dy')
  const find = (text: string, at: number): Secret[] => {
    const match = matchAt(pattern, text, at)
    if (match === undefined) return []
    const [start, end] = match.indices?.groups?.['secret'] ?? [at, endOf(match)]
    if (accepts?.(text.slice(start, Math.min(end, start + JUDGED_CHARACTERS)), match) === false) return []
    return [{ start, end: endOfSecret(text, end, BASE64_RUN), kind }]
  }
  return { hints: hints.split('|'), isAnyCase, find }
}

/** Finds the secrets of a text, the more certain ones first; in some parts of it only, if they are given. */
export type Find = (text: string, parts?: readonly Span[]) => Secret[]

/** A rule by one of its hints, with its place among all. */
interface Hint {
  hint: string
  rule: Rule
  certainty: number
}

/**
 * Returns a function that finds secrets. Each rule is tried only where one of its hints stands: one pass finds them, and
 * most texts have few.
 * @param rules the more certain ones first
 */
export function createFinder(rules: readonly Rule[]): Find {
  const hints = new Map<string, Hint[]>()
  for (const [certainty, rule] of rules.entries())
    for (const hint of rule.hints) {
      const word = hint.toLowerCase()
      hints.set(word, [...(hints.get(word) ?? []), { hint, rule, certainty }])
    }
  const findWords = createWordFinder([...hints.keys()])
  // One for all texts: most are short, and a new one for each would take longer than the search.
  const searchedTo = new Uint32Array(rules.length)
  return (text, parts = [{ start: 0, end: text.length }]) => {
    const found: { certainty: number; secret: Secret }[] = []
    searchedTo.fill(0)
    const tryRules = (word: string, start: number): void => {
      for (const { hint, rule, certainty } of hints.get(word) ?? []) {
        const from = searchedTo[certainty] ?? 0
        if (start < from || !(rule.isAnyCase || text.startsWith(hint, start))) continue
        const secrets = rule.find(text, start, from)
        for (const secret of secrets) found.push({ certainty, secret })
        searchedTo[certainty] = Math.max(start + 1, secrets.at(-1)?.end ?? 0)
      }
    }
    for (const { start, end } of parts) findWords(text.slice(start, end), (word, at) => tryRules(word, start + at))
    return found.sort((a, b) => a.certainty - b.certainty).map(({ secret }) => secret)
  }
}
